// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"fmt"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
)

// BenchmarkAuthorize is everything about a tool call that needs no store: reading it, matching sixteen rules, one of them with
// a condition, and looking for four arguments in a turn of 2 kB; and apart from it the reading of that turn, once for all calls
// that it leads to.
func BenchmarkAuthorize(b *testing.B) {
	var list []Rule
	for i := range 15 {
		list = append(list, Rule{Name: fmt.Sprintf("other-%d", i), Tools: []string{fmt.Sprintf("tool%d_*", i), "*_none"}})
	}
	list = append(list, Rule{
		Name: "payments", Tools: []string{"payments_*"}, When: "has(args.amount) && args.amount < 1000 && args.currency in ['EUR', 'USD']",
		Authority: memory.Act, Sensitive: []string{"to", "amount", "items[*].iban"},
	})
	r := rules(b, list...)
	raw := []byte(`{"to": "alice@example.com", "amount": 249.50, "currency": "EUR", "items": [{"iban": "DE89370400440532013000"}, {"iban": "GB29NWBK60161331926819"}]}`)
	for name, filler := range map[string]string{
		"ascii":  "Please look at the invoices of last month, 12 of them, and tell me which are open. ",
		"german": "Bitte prüfe die Rechnungen über 1.200,00 € vom März, und sag mir, welche noch offen sind. ",
	} {
		turn := strings.Repeat(filler, 2048/len(filler)-2) +
			"Then pay 249.50 to alice@example.com, DE89 3704 0044 0532 0130 00 and GB29 NWBK 6016 1331 9268 19."
		b.Run(name+"/turn", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = NewText(turn)
			}
		})
		text := NewText(turn)
		b.Run(name+"/call", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				args, err := ParseObject(raw)
				if err != nil {
					b.Fatal(err)
				}
				m := r.Match("payments_send", args)
				_ = Hash(args)
				for _, leaf := range Leaves(args, m.Sensitive) {
					if !text.Names(leaf.Value) {
						b.Fatalf("%s is not named", leaf.Path)
					}
				}
			}
		})
	}
}
