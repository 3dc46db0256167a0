// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/screen/intent"
)

// Thresholds of the report, per mille: what the screen takes when a policy says
// nothing. Where a word of a lexicon agrees, besideShare of them is enough. In the
// languages of the full lexicons the screen asks for more than thresholdRead, because
// the model is one of two there.
const (
	threshold     = 455
	thresholdRead = 650
	besideShare   = 750
	coverageLeast = 500

	// Undecided, the model must know more of the writing, and of a short sentence less.
	undecided     = 100
	coverageDoubt = 300
	coverageShort = 100
	shortLetters  = 40
)

// fullLexicons are the languages whose lexicon reads moods.
var fullLexicons = []string{"de", "en", "es", "fr", "it", "nl", "pt"}

// thresholdFor is what the screen asks of the model in a language.
func thresholdFor(base string) int {
	if slices.Contains(fullLexicons, base) {
		return thresholdRead
	}
	return threshold
}

// figures are what a report says of a group of sentences.
type figures struct {
	directives, alone, beside, caught int // flagged by threshold; alone or abstained
	benign, falseAlone, falseBeside   int
	pairs, pairsRight                 int // beside
	abstained                         int // of both labels
}

func (f *figures) add(g figures) {
	f.directives += g.directives
	f.alone += g.alone
	f.beside += g.beside
	f.caught += g.caught
	f.benign += g.benign
	f.falseAlone += g.falseAlone
	f.falseBeside += g.falseBeside
	f.pairs += g.pairs
	f.pairsRight += g.pairsRight
	f.abstained += g.abstained
}

// measure judges examples of one language, with a threshold. A pair is a directive and
// a harmless sentence of the same family.
func measure(m *intent.Model, examples []example, threshold int) figures {
	var f figures
	right := map[string][2][]bool{} // by family: of the harmless, of the directives
	for _, e := range examples {
		s := m.Score(e.text)
		known := s.CoveragePerMille >= coverageLeast
		alone, beside := known && s.PerMille >= threshold, known && s.PerMille*1000 >= threshold*besideShare
		abstained := !alone && s.CoveragePerMille < needed(s)
		f.abstained += count(abstained)
		family := right[e.row.family]
		if e.directive {
			f.directives++
			f.alone += count(alone)
			f.beside += count(beside)
			f.caught += count(alone || abstained)
			family[1] = append(family[1], beside)
		} else {
			f.benign++
			f.falseAlone += count(alone)
			f.falseBeside += count(beside)
			family[0] = append(family[0], !beside)
		}
		right[e.row.family] = family
	}
	for _, family := range right {
		for _, d := range family[1] {
			for _, b := range family[0] {
				f.pairs++
				f.pairsRight += count(d && b)
			}
		}
	}
	return f
}

// needed is the coverage below which the screen abstains where no full lexicon has read the sentence.
func needed(s intent.Score) int {
	switch {
	case s.Letters < shortLetters:
		return coverageLeast - coverageShort
	case s.PerMille >= undecided:
		return coverageLeast + coverageDoubt
	}
	return coverageLeast
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// group is a part of the report: languages that the model knows equally well.
type group struct {
	title string
	holds func(l language, trained map[string]bool) bool
	rows  func(r row) bool
}

func groups() []group {
	return []group{
		{"Languages trained on, families not trained on",
			func(l language, _ map[string]bool) bool { return !l.held }, func(r row) bool { return partOf(r) == partTest }},
		{"Languages not trained on, in a script trained on",
			func(l language, trained map[string]bool) bool { return l.held && trained[l.script] }, func(row) bool { return true }},
		{"Languages not trained on, in a script not trained on",
			func(l language, trained map[string]bool) bool { return l.held && !trained[l.script] }, func(row) bool { return true }},
	}
}

// makeReport fits the model without the test families and measures it.
func makeReport(languages []language, s settings, c scaling) (string, error) {
	m, err := intent.NewModel(split(languages, s, c))
	if err != nil {
		return "", err
	}
	trained := map[string]bool{}
	for _, l := range languages {
		if !l.held {
			trained[l.script] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Flagged alone from %d ‰, in %s from %d ‰; beside a word of a lexicon from %d ‰ of that; abstained below a coverage of %d ‰, "+
		"from %d ‰ of intent on below %d ‰, in short sentences %d ‰ less.\n",
		threshold, strings.Join(fullLexicons, ", "), thresholdRead, besideShare, coverageLeast, undecided, coverageLeast+coverageDoubt, coverageShort)
	for _, g := range groups() {
		fmt.Fprintf(&b, "\n### %s\n\n", g.title)
		b.WriteString("| language | directives | alone | beside | alone or abstained | harmless | false alone | false beside | pairs right | abstained |\n")
		b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
		var total figures
		for _, l := range languages {
			if l.code != l.base() || !g.holds(l, trained) {
				continue
			}
			files := slices.DeleteFunc(slices.Clone(languages), func(f language) bool { return f.base() != l.code })
			f := measure(m, examplesOf(files, func(_ language, r row) bool { return g.rows(r) }, false), thresholdFor(l.code))
			total.add(f)
			writeFigures(&b, l.name, f)
		}
		writeFigures(&b, "**all**", total)
	}
	return b.String(), nil
}

func writeFigures(b *strings.Builder, name string, f figures) {
	fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %d | %s | %s | %s | %s |\n", name, f.directives,
		percent(f.alone, f.directives), percent(f.beside, f.directives), percent(f.caught, f.directives),
		f.benign, percent(f.falseAlone, f.benign), percent(f.falseBeside, f.benign),
		percent(f.pairsRight, f.pairs), percent(f.abstained, f.directives+f.benign))
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// Marks between which a document holds the report.
const (
	beginReport = "<!-- report: begin -->\n"
	endReport   = "<!-- report: end -->"
)

// writeReport replaces what is between the marks of a Markdown file.
func writeReport(path, report string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(data), beginReport)
	_, after, closed := strings.Cut(rest, endReport)
	if !ok || !closed {
		return errors.New(path + " has no place for the report")
	}
	return os.WriteFile(path, []byte(before+beginReport+report+endReport+after), 0o644) //nolint:gosec // not secret
}
