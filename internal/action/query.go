// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"encoding/json"
	"strings"
)

// Query returns a text that finds memories which may name a value, with the forms that it may have there.
func Query(v any) string {
	switch v := v.(type) {
	case string:
		s := cutQuery(fold(v))
		if account := accountOf(s); account != "" {
			return s + " " + account + " " + inFours(account)
		}
		return s
	case json.Number:
		s := cutQuery(v.String())
		integer, fraction, _ := strings.Cut(s, ".")
		if strings.Trim(integer, "0123456789") != "" {
			return s
		}
		thousands := inThousands(integer)
		return strings.Join([]string{s, integer, thousands, strings.ReplaceAll(thousands, ",", "."), integer + "," + fraction}, " ")
	}
	return ""
}

// maxQueryBytes bounds what is searched for; relevance rests on rare words, of which the beginning has enough.
const maxQueryBytes = 256

func cutQuery(s string) string {
	if len(s) <= maxQueryBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxQueryBytes], "")
}

// inThousands puts commas between groups of three digits.
func inThousands(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// inFours is how people write the numbers of accounts and cards: groups of four, counted from the beginning.
func inFours(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
