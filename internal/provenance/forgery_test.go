// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
)

// forging is what a forger has: tags of the agent over other things, and the secrets of others.
type forging struct {
	agent   *Keyset // the agent's: three keys
	other   *Keyset // another agent's
	tuple   Tuple   // what the forger wants believed
	message []byte  // of tuple
	tag     []byte  // the agent's over tuple as it was, which is not tuple
	genuine []byte  // the agent's over tuple: what must be accepted, and nothing else
}

// tagForgeries are families of forged tags. Each yields any number of tags that must not verify over the message.
var tagForgeries = map[string]func(t *testing.T, f forging) [][]byte{
	"no tag":                func(*testing.T, forging) [][]byte { return [][]byte{nil, {}} },
	"tag of an older tuple": func(_ *testing.T, f forging) [][]byte { return [][]byte{f.tag} },
	"key of another agent":  func(t *testing.T, f forging) [][]byte { return [][]byte{signed(t, f.other, f.message)} },
	"key id swapped":        forgeKeyID,
	"bit flips":             forgeBits,
	"bytes replaced":        forgeBytes,
	"truncated":             forgeShorter,
	"extended":              forgeLonger,
	"padded to another size": func(_ *testing.T, f forging) [][]byte {
		return [][]byte{append(slices.Clone(f.genuine), make([]byte, 32)...)}
	},
	"without its prefix": func(_ *testing.T, f forging) [][]byte { return [][]byte{f.genuine[tinkPrefixLen:]} },
	"another prefix":     forgePrefix,
	"a raw key":          forgeRaw,
	"two tags joined":    func(_ *testing.T, f forging) [][]byte { return [][]byte{append(slices.Clone(f.genuine), f.tag...)} },
	"v1 for v2":          forgeVersion,
	"of a part of the message": func(t *testing.T, f forging) [][]byte {
		return [][]byte{signed(t, f.agent, f.message[:len(f.message)-1]), signed(t, f.agent, f.message[1:]), signed(t, f.agent, append(slices.Clone(f.message), 0))}
	},
	"of the hash of the message": func(t *testing.T, f forging) [][]byte { return [][]byte{signed(t, f.agent, f.tuple.ContentSHA256[:])} },
	"of every other tuple":       forgeTuples,
	"random":                     forgeRandom,
}

func signed(t *testing.T, k *Keyset, msg []byte) []byte {
	t.Helper()
	tag, err := k.Sign(msg)
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

// forgeKeyID puts the id of each other key of the keyset, and of none, into the tag.
func forgeKeyID(t *testing.T, f forging) (out [][]byte) {
	t.Helper()
	for _, id := range append(f.agent.KeyIDs(), "0", "4294967295") {
		n, err := strconv.ParseUint(id, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		tag := slices.Clone(f.genuine)
		binary.BigEndian.PutUint32(tag[1:tinkPrefixLen], uint32(n))
		if !bytes.Equal(tag, f.genuine) {
			out = append(out, tag)
		}
	}
	return out
}

func forgeBits(_ *testing.T, f forging) (out [][]byte) {
	for i := range len(f.genuine) * 8 {
		tag := slices.Clone(f.genuine)
		tag[i/8] ^= 1 << (i % 8)
		out = append(out, tag)
	}
	return out
}

func forgeBytes(_ *testing.T, f forging) (out [][]byte) {
	for i := range f.genuine {
		for _, b := range []byte{0, 0xff, f.genuine[i] + 1} {
			tag := slices.Clone(f.genuine)
			if tag[i] = b; !bytes.Equal(tag, f.genuine) {
				out = append(out, tag)
			}
		}
	}
	return out
}

func forgeShorter(_ *testing.T, f forging) (out [][]byte) {
	for n := range f.genuine {
		out = append(out, f.genuine[:n])
	}
	return out
}

func forgeLonger(_ *testing.T, f forging) (out [][]byte) {
	for _, more := range [][]byte{{0}, {0xff}, f.genuine[:1], make([]byte, 1<<16)} {
		out = append(out, append(slices.Clone(f.genuine), more...))
	}
	return out
}

// forgePrefix tries the first byte of every other output prefix: Tink writes 1 for its own, 0 for LEGACY and CRUNCHY.
func forgePrefix(_ *testing.T, f forging) (out [][]byte) {
	for b := range 256 {
		tag := slices.Clone(f.genuine)
		if tag[0] = byte(b); b != tinkVersion {
			out = append(out, tag)
		}
	}
	return out
}

// forgeRaw signs with a key that puts no id into its tags, alone and with the agent's id before it.
func forgeRaw(t *testing.T, f forging) [][]byte {
	t.Helper()
	template := mac.HMACSHA256Tag256KeyTemplate()
	template.OutputPrefixType = 3 // RAW
	handle, err := keyset.NewHandle(template)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := mac.New(handle)
	if err != nil {
		t.Fatal(err)
	}
	tag, err := raw.ComputeMAC(f.message)
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{tag, append(slices.Clone(f.genuine[:tinkPrefixLen]), tag...)}
}

// forgeVersion signs the same facts in the layout for foreign stores.
func forgeVersion(t *testing.T, f forging) [][]byte {
	t.Helper()
	var out [][]byte
	for _, content := range []string{"text", "", string(f.tuple.ContentSHA256[:]), hex.EncodeToString(f.tuple.ContentSHA256[:])} {
		tag, err := f.agent.SignV1(f.tuple.AgentID, f.tuple.BaseSource, content)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tag)
	}
	return out
}

func forgeTuples(t *testing.T, f forging) (out [][]byte) {
	t.Helper()
	for _, tuple := range changedTuples(t) {
		if !bytes.Equal(tuple.Message(), f.message) {
			out = append(out, signed(t, f.agent, tuple.Message()))
		}
	}
	return out
}

func forgeRandom(_ *testing.T, f forging) (out [][]byte) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		tag := slices.Clone(f.genuine)
		for i := tinkPrefixLen; i < len(tag); i++ {
			tag[i] = byte(random.Uint32())
		}
		out = append(out, tag)
	}
	return out
}

func TestTagForgeries(t *testing.T) {
	f := newForging(t)
	tried, accepted := 0, 0
	for name, forge := range tagForgeries {
		t.Run(name, func(t *testing.T) {
			tags := forge(t, f)
			if len(tags) == 0 {
				t.Fatal("nothing was tried")
			}
			for _, tag := range tags {
				tried++
				err := f.agent.Verify(tag, f.message)
				if err == nil {
					accepted++
					t.Errorf("accepted: %x", tag)
				} else if !errors.Is(err, ErrBadTag) && !errors.Is(err, ErrKeyUnavailable) {
					t.Errorf("untyped error %v", err)
				}
			}
		})
	}
	if err := f.agent.Verify(f.genuine, f.message); err != nil {
		t.Errorf("the genuine tag is refused: %v", err)
	}
	t.Logf("forgeries tried %d in %d families, accepted %d", tried, len(tagForgeries), accepted)
}

func newForging(t *testing.T) forging {
	t.Helper()
	entries, primary := map[string][]byte{}, ""
	for range 3 {
		id, entry := newKey(t)
		entries[id], primary = entry, id
	}
	f := forging{agent: mustParse(t, primary, entries), other: newKeyset(t), tuple: sampleTuple()}
	f.tag = signed(t, f.agent, f.tuple.Message())
	f.tuple.Zone, f.tuple.State, f.tuple.Class = "Trusted", "Active", UserInput
	f.message = f.tuple.Message()
	f.genuine = signed(t, f.agent, f.message)
	return f
}

// sourceForgeries are spellings of a tagged source that must be read as something else, or not at all.
var sourceForgeries = map[string]func(base, tag string, raw []byte) []string{
	"padding": func(base, tag string, _ []byte) []string {
		return []string{base + macMark + tag + "=", base + macMark + tag + "=="}
	},
	"standard alphabet": func(base, _ string, raw []byte) []string {
		return []string{base + macMark + base64.StdEncoding.EncodeToString(raw)}
	},
	"hex": func(base, _ string, raw []byte) []string { return []string{base + macMark + hex.EncodeToString(raw)} },
	"line breaks": func(base, tag string, _ []byte) []string {
		return []string{base + macMark + tag[:8] + "\n" + tag[8:], base + macMark + tag + "\r\n"}
	},
	"stray bits":         func(base, tag string, _ []byte) []string { return strayBits(base, tag) },
	"mark in other case": func(base, tag string, _ []byte) []string { return []string{base + "#MAC=" + tag, base + "#Mac=" + tag} },
	"look-alike mark": func(base, tag string, _ []byte) []string {
		return []string{base + "\uff03mac=" + tag, base + "#m\u0430c=" + tag}
	},
	"two marks": func(base, tag string, _ []byte) []string { return []string{base + macMark + tag + macMark + tag} },
	"spaces": func(base, tag string, _ []byte) []string {
		return []string{base + macMark + " " + tag, base + " " + macMark + tag}
	},
	"another base": func(_, tag string, _ []byte) []string {
		return []string{"operator:root" + macMark + tag, macMark + tag}
	},
	"base in other case": func(base, tag string, _ []byte) []string { return []string{strings.ToUpper(base) + macMark + tag} },
	"look-alike base": func(base, tag string, _ []byte) []string {
		return []string{strings.Replace(base, "o", "\u043e", 1) + macMark + tag}
	},
	"truncated": func(base, tag string, _ []byte) []string {
		return []string{base + macMark + tag[:len(tag)-4], base + macMark + tag[:7]}
	},
	"extended":             func(base, tag string, _ []byte) []string { return []string{base + macMark + tag + "AAAA"} },
	"first letter changed": func(base, tag string, _ []byte) []string { return []string{base + macMark + "B" + tag[1:]} },
}

// strayBits sets the bits of the last letter that decode to nothing, where the length leaves any.
func strayBits(base, tag string) (out []string) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, letter := range alphabet {
		if changed := tag[:len(tag)-1] + string(letter); changed != tag {
			out = append(out, base+macMark+changed)
		}
	}
	return out
}

func TestSourceForgeries(t *testing.T) {
	const base, content, agent = "operator:console", "Pay in euros.", "agent-1"
	k := newKeyset(t)
	raw, err := k.SignV1(agent, base, content)
	if err != nil {
		t.Fatal(err)
	}
	accepts := func(s string) bool {
		claimed, tag, err := ParseTagged(s)
		return err == nil && tag != nil && k.VerifyV1(tag, agent, claimed, content) == nil
	}
	genuine, err := FormatTagged(base, raw)
	if err != nil || !accepts(genuine) {
		t.Fatalf("the genuine source %q is refused, error %v", genuine, err)
	}
	tried, accepted := 0, 0
	for name, forge := range sourceForgeries {
		t.Run(name, func(t *testing.T) {
			for _, s := range forge(base, strings.TrimPrefix(genuine, base+macMark), raw) {
				if tried++; accepts(s) {
					accepted++
					t.Errorf("accepted: %q", s)
				}
			}
		})
	}
	t.Logf("forgeries tried %d in %d families, accepted %d", tried, len(sourceForgeries), accepted)
}

// randomTuple fills every field from few pieces, so that fields of one tuple look like those of another, shifted.
func randomTuple(random *rand.Rand) Tuple {
	pieces := []string{"", "a", "b", "ab", "aa", "s", "\x00", "a\x00", "\x00\x00\x00\x00\x00\x00\x00\x01a", "s\x00\x00\x00\x00\x00\x00\x00\x00", "memprov/v1"}
	var u Tuple
	v := reflect.ValueOf(&u).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(pieces[random.IntN(len(pieces))])
		case reflect.Uint64:
			f.SetUint(random.Uint64N(3))
		case reflect.Slice:
			for range random.IntN(3) {
				f.Set(reflect.Append(f, reflect.ValueOf(pieces[random.IntN(len(pieces))])))
			}
		case reflect.Array:
			f.Index(0).SetUint(random.Uint64N(2))
		default:
			if n := random.Int64N(3); n > 0 {
				f.Set(reflect.ValueOf(time.UnixMicro(n).UTC()))
			}
		}
	}
	return u
}

// Two tuples share a message only if they are one.
func TestMessagesAreInjective(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	seen := map[string]Tuple{}
	for range 50_000 {
		u := randomTuple(random)
		if other, ok := seen[string(u.Message())]; ok && !reflect.DeepEqual(u, other) {
			t.Fatalf("one message for\n%#v\n%#v", u, other)
		}
		seen[string(u.Message())] = u
	}
}

// A tuple and its neighbor, which differs in one field and no more, never share a message.
func TestNeighborsDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		a, b := randomTuple(random), randomTuple(random)
		field := random.IntN(reflect.TypeFor[Tuple]().NumField())
		mixed := a
		reflect.ValueOf(&mixed).Elem().Field(field).Set(reflect.ValueOf(b).Field(field))
		same := reflect.DeepEqual(a, mixed)
		if bytes.Equal(a.Message(), mixed.Message()) != same {
			t.Fatalf("field %s: equal tuples %v\n%#v\n%#v", reflect.TypeFor[Tuple]().Field(field).Name, same, a, mixed)
		}
	}
}

func FuzzVerify(f *testing.F) {
	k := newKeyset(f)
	msg := sampleTuple().Message()
	tag, err := k.Sign(msg)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(tag, msg)
	f.Add([]byte{}, []byte{})
	f.Add([]byte{1, 0, 0, 0, 0, 0}, msg)
	f.Fuzz(func(t *testing.T, forged, message []byte) {
		if k.Verify(forged, message) == nil && (!bytes.Equal(forged, tag) || !bytes.Equal(message, msg)) {
			t.Fatalf("accepted %x over %q", forged, message)
		}
	})
}
