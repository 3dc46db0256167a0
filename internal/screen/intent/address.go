// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package intent

// address looks whether a URL, a domain, a file name or an e-mail address begins
// at start. It returns its kind and its end, or 0 and the offset before which there
// is none: the caller need not ask again until there, which keeps reading linear.
func address(text string, start int) (kind uint64, end int) {
	end = start
	at, scheme, dot := -1, -1, -1
scan:
	for end < len(text) {
		c := text[end]
		switch {
		case isAlnum(c):
		case c == '@':
			at = end
		case c == '.':
			dot = end
		case c == ':':
			if scheme < 0 && end+2 < len(text) && text[end+1] == '/' && text[end+2] == '/' {
				scheme = end
			}
		case c == '-', c == '_', c == '/', c == '%', c == '+', c == '~', c == '?', c == '=', c == '&', c == '#':
		default:
			break scan
		}
		end++
	}
	// Punctuation at the end belongs to the sentence.
	for end > start && !isAlnum(text[end-1]) && text[end-1] != '/' {
		end--
	}
	switch {
	case scheme > start:
		return runeWeb, end
	case at > start && at < end-1 && dot > at:
		return runeMail, end
	case dominated(text[start:end]):
		return runeWeb, end
	}
	return 0, end
}

// dominated reports whether a token begins with a domain or is a file name: labels
// of letters joined by dots, the last of them two letters or more.
func dominated(token string) bool {
	dots, label, letters := 0, 0, 0
	for i := 0; i <= len(token); i++ {
		if i < len(token) {
			c := token[i]
			if isAlnum(c) || c == '-' || c == '_' {
				label++
				if c|0x20 >= 'a' && c|0x20 <= 'z' {
					letters++
				}
				continue
			}
			if c == '.' && label > 0 {
				dots++
				label, letters = 0, 0
				continue
			}
			if c != '/' && c != ':' && c != '?' && c != '#' {
				return false
			}
		}
		return dots > 0 && label >= 2 && letters == label
	}
	return false
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
