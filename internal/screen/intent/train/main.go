// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command train makes the intent model out of the data files, and the report on what
// it reaches on families and languages that it was not trained on. The same data
// give the same model, bit for bit, on every platform.
package main

import (
	"flag"
	"fmt"
	"os"

	"memorytrust.dev/operator/internal/screen/intent"
)

func main() {
	data := flag.String("data", "internal/screen/intent/data", "directory of the data files")
	out := flag.String("out", "", "write the model to this file")
	report := flag.Bool("report", false, "print the report")
	doc := flag.String("doc", "", "write the report between the markers of this Markdown file")
	flag.Parse()
	if err := run(*data, *out, *doc, *report, defaults); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(data, out, doc string, report bool, s settings) error {
	languages, sum, err := readCorpus(os.DirFS(data))
	if err != nil {
		return err
	}
	c := calibration(languages, s)
	if report || doc != "" {
		text, err := makeReport(languages, s, c)
		if err != nil {
			return err
		}
		if report {
			fmt.Print(text)
		}
		if doc != "" {
			if err := writeReport(doc, text); err != nil {
				return err
			}
		}
	}
	if out == "" {
		return nil
	}
	p := ship(languages, s, c)
	p.Data = sum
	file, err := intent.Encode(p)
	if err != nil {
		return err
	}
	return os.WriteFile(out, file, 0o644) //nolint:gosec // not secret
}

// scaling turns margins into log odds.
type scaling struct{ slope, offset float64 }

// ship makes the model that is embedded: all families of the languages to train.
func ship(languages []language, s settings, c scaling) intent.Params {
	all := examplesOf(languages, func(l language, _ row) bool { return !l.held }, true)
	return finish(all, s, c)
}

// split makes the model that the report is on: without the test families.
func split(languages []language, s settings, c scaling) intent.Params {
	seen := examplesOf(languages, func(l language, r row) bool { return !l.held && partOf(r) != partTest }, true)
	return finish(seen, s, c)
}

func finish(examples []example, s settings, c scaling) intent.Params {
	p := train(examples, s).quantize()
	cover(&p, examples, s.seenBits)
	p.Slope, p.Offset = c.slope, c.offset
	return p
}

// calibration fits without the fold and the test families, and calibrates on the fold.
func calibration(languages []language, s settings) scaling {
	f := train(examplesOf(languages, func(l language, r row) bool { return !l.held && partOf(r) == partTrain }, true), s)
	fold := examplesOf(languages, func(l language, r row) bool { return !l.held && partOf(r) == partFold }, true)
	margins, labels := make([]float64, len(fold)), make([]bool, len(fold))
	for i, e := range fold {
		x := f.sample(e)
		margin := f.margin(&x)
		margins[i], labels[i] = float64(margin), e.directive
	}
	slope, offset := calibrate(margins, labels)
	return scaling{slope: slope, offset: offset}
}
