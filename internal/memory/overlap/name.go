// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	_ "embed"
	"strings"
)

// longestName is how many words a name has at most; more words with capitals are a heading.
const longestName = 5

//go:embed common.txt
var commonText string

// common are names and domains that any two texts can have in common, and hashes of those names.
var common, commonNames = readCommon(commonText)

// readCommon reads one name or domain from each line; '#' begins a comment.
func readCommon(text string) (domains map[string]bool, names map[uint64]bool) {
	domains, names = map[string]bool{}, map[uint64]bool{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		switch line = strings.TrimSpace(line); {
		case line == "":
		case strings.Contains(line, "."):
			domains[line] = true
		default:
			names[nameHash(cut(prepare(line)))] = true
		}
	}
	return domains, names
}

func nameHash(units []unit) uint64 {
	hash := uint64(hashSeed)
	for _, u := range units {
		hash = mix(hash ^ u.hash)
	}
	return hash
}

// properNames are the names of several words that a text has: words with capitals, one space or hyphen apart. A short word
// that begins a sentence has its capital from there.
func properNames(text string, units []unit) []element {
	var out []element
	add := func(name []unit) {
		if len(name) < 2 || len(name) > longestName {
			return
		}
		if hash := nameHash(name); !commonNames[hash] {
			out = append(out, element{hash: hash, at: name[0].start})
		}
	}
	for i := 0; i < len(units); {
		end := i + 1
		if !nameable(text, units[i]) {
			i = end
			continue
		}
		for end < len(units) && units[end].joined && !units[end].opens && nameable(text, units[end]) {
			end++
		}
		name := units[i:end]
		if name[0].opens {
			if name[0].size > 3 {
				add(name)
			}
			name = name[1:]
		}
		add(name)
		i = end
	}
	return out
}

// nameable reports whether a unit can be part of a name: a word with a capital letter, not one of a single letter.
func nameable(text string, u unit) bool {
	return u.capital && u.size > 1 && !isDigit(text[u.start])
}

// commonDomain reports whether so much is at a domain that it tells nothing.
func commonDomain(host string) bool {
	for {
		if common[host] {
			return true
		}
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		host = parent
	}
}

// domainName reports whether s is a name of at least two labels, the last of letters.
func domainName(s string) bool {
	label, letters, labels := 0, true, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.':
			if label == 0 {
				return false
			}
			labels, label, letters = labels+1, 0, true
		case alphanumeric(c), c == '-', c == '_':
			label++
			letters = letters && !isDigit(c)
		default:
			return false
		}
	}
	return labels > 0 && label >= 2 && letters
}

// fileEndings are those that a name with a point has that is no domain.
var fileEndings = map[string]bool{
	"md": true, "js": true, "ts": true, "go": true, "py": true, "rs": true, "sh": true, "txt": true, "json": true, "yaml": true,
	"yml": true, "html": true, "htm": true, "pdf": true, "csv": true, "xml": true, "doc": true, "docx": true, "xlsx": true,
	"pptx": true, "png": true, "jpg": true, "jpeg": true, "gif": true, "zip": true, "gz": true, "tar": true, "java": true,
	"css": true, "cpp": true, "php": true, "rb": true, "sql": true, "toml": true, "ini": true, "log": true, "exe": true,
}

// bareHost reports whether a name with points, as it is written, is a domain and no file, abbreviation or forgotten space.
func bareHost(run string) bool {
	dot := strings.LastIndexByte(run, '.')
	last := run[dot+1:]
	return dot >= 2 && last == strings.ToLower(last) && !fileEndings[last] && strings.IndexByte(run, '.') >= 2
}
