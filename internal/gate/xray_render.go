// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"embed"
	"fmt"
	"strings"
	"text/template"
	"time"
	"unicode"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// The forms of an X-ray. Whatever in it was written by others goes through safe, code, cell or prose.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"add":    func(a, b int) int { return a + b },
	"time":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"yes":    yes,
	"number": func(f float64) string { return fmt.Sprintf("%.3f", f) },
	"counts": XRay.counts,
	"safe":   printable,
	"code":   code,
	"cell":   func(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) },
	"prose":  prose,
}).ParseFS(templateFiles, "templates/*.tmpl"))

// Text renders the X-ray for a terminal. Nothing in it can steer the terminal.
func (x XRay) Text() string { return x.render("xray.txt.tmpl") }

// Markdown renders the X-ray for a page. What memories say is shown as it is, and never as markup or a link.
func (x XRay) Markdown() string { return x.render("xray.md.tmpl") }

func (x XRay) render(form string) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, form, x); err != nil {
		return "The X-ray cannot be shown in this form.\n" // the templates are fixed, and tested with every field
	}
	return b.String()
}

// counts tells the outcomes in a fixed order.
func (x XRay) counts() string {
	if len(x.Items) == 0 {
		return "no memory matches"
	}
	return fmt.Sprintf("%d delivered, %d withheld, %d left out",
		x.Counts[OutcomeDelivered], x.Counts[OutcomeWithheld], x.Counts[OutcomeLeft])
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// code is s as a span of code in Markdown, in which nothing is markup. The fence is longer than any run of backticks in s.
func code(s string) string {
	s = printable(s)
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.TrimSpace(s) == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// prose is s as text in Markdown: every mark that could begin markup or a link is escaped.
func prose(s string) string {
	var b strings.Builder
	runes := []rune(printable(s))
	for i, r := range runes {
		last := i+1 == len(runes) || runes[i+1] == ' '
		mark := r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r))
		if mark && r != ',' && r != ';' && (!last || r != '.' && r != ':') {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
