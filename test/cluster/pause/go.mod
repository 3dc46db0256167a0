module memorytrust.dev/operator/test/cluster/pause

go 1.26.0
