// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/sha256"
	"sync"

	"k8s.io/utils/lru"

	"memorytrust.dev/operator/internal/screen"
)

// maxScreened is how many verdicts are kept, with some hundred bytes for each.
const maxScreened = 8192

// screenedTexts keeps what was found in texts that were screened last, since what is remembered is read again and again. A verdict
// depends on the text and on the engine alone, which never changes: another lexicon makes another one. The zero value is ready to use.
type screenedTexts struct {
	once sync.Once
	kept *lru.Cache // of screen.Verdict, by screenedText
}

type screenedText struct {
	engine  *screen.Screener
	trusted bool
	sum     [sha256.Size]byte
}

// screen screens a text, unless the same engine did.
func (t *screenedTexts) screen(by Screener, in screen.Input) screen.Verdict {
	engine, ok := by.(*screen.Screener)
	if !ok {
		return by.Screen(in)
	}
	t.once.Do(func() { t.kept = lru.New(maxScreened) })
	key := screenedText{engine: engine, trusted: in.Trusted, sum: sha256.Sum256([]byte(in.Text))}
	if kept, ok := t.kept.Get(key); ok {
		if v, ok := kept.(screen.Verdict); ok {
			return v
		}
	}
	v := engine.Screen(in)
	t.kept.Add(key, v)
	return v
}
