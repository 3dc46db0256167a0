// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"strconv"
	"sync"
	"testing"

	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

// Tags are Tink's, byte for byte, so that whoever has the keys can check them with Tink.
func TestTagsAreTinks(t *testing.T) {
	for name, template := range map[string]*tinkpb.KeyTemplate{
		"SHA256, 32 bytes": mac.HMACSHA256Tag256KeyTemplate(),
		"SHA256, 16 bytes": mac.HMACSHA256Tag128KeyTemplate(),
		"SHA512, 32 bytes": mac.HMACSHA512Tag256KeyTemplate(),
		"SHA512, 64 bytes": mac.HMACSHA512Tag512KeyTemplate(),
	} {
		t.Run(name, func(t *testing.T) {
			handle, err := keyset.NewHandle(template)
			if err != nil {
				t.Fatal(err)
			}
			tinks, err := mac.New(handle)
			if err != nil {
				t.Fatal(err)
			}
			var entry bytes.Buffer
			if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&entry)); err != nil {
				t.Fatal(err)
			}
			id := strconv.FormatUint(uint64(handle.KeysetInfo().GetPrimaryKeyId()), 10)
			ours := mustParse(t, id, map[string][]byte{id: entry.Bytes()})
			for _, size := range []int{0, 1, 63, 64, 65, 1000} {
				msg := bytes.Repeat([]byte{byte(size)}, size)
				want, err := tinks.ComputeMAC(msg)
				if err != nil {
					t.Fatal(err)
				}
				got, err := ours.Sign(msg)
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes: %x, Tink says %x; error %v", size, got, want, err)
				}
				if err := ours.Verify(want, msg); err != nil {
					t.Errorf("%d bytes: Tink's tag: %v", size, err)
				}
				if err := tinks.VerifyMAC(got, msg); err != nil {
					t.Errorf("%d bytes: Tink refuses ours: %v", size, err)
				}
			}
		})
	}
}

// States are kept between messages and must not carry anything over, also not between goroutines.
func TestSignConcurrently(t *testing.T) {
	k := newKeyset(t)
	want := make([][]byte, 32)
	for i := range want {
		tag, err := k.Sign([]byte{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		want[i] = tag
	}
	var all sync.WaitGroup
	for i := range want {
		all.Go(func() {
			for range 500 {
				tag, err := k.Sign([]byte{byte(i)})
				if err != nil || !bytes.Equal(tag, want[i]) || k.Verify(tag, []byte{byte(i)}) != nil {
					t.Errorf("message %d: another tag than alone, error %v", i, err)
					return
				}
			}
		})
	}
	all.Wait()
}
