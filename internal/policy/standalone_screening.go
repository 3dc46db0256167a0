// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memorytrust.dev/operator/api/v1alpha1"
)

// lexicons reads what stands for the ConfigMaps of spec.screening.lexiconRefs. One that no reference names is a mistake worth
// stopping for.
func (s Standalone) lexicons(refs []v1alpha1.LexiconRef) ([]Lexicon, error) {
	named := map[string]int{}
	for _, ref := range refs {
		named[ref.Name]++
	}
	for name := range s.Lexicons {
		if named[name] == 0 {
			return nil, fmt.Errorf("lexicon %s is not in %s of the policy", name, fieldLexicons)
		}
	}
	var out []Lexicon
	for _, ref := range refs {
		path, ok := s.Lexicons[ref.Name]
		if !ok {
			return nil, fieldErrorf(fieldLexicons, "outside a cluster there are no ConfigMaps: give --lexicon %s=FILE, or =DIRECTORY with "+
				"a file for each entry", ref.Name)
		}
		found, err := readLexicons(path, ref, named[ref.Name] > 1)
		if err != nil {
			return nil, fmt.Errorf("lexicon %s: %w", ref.Name, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("lexicon %s: no file in the directory", ref.Name)
		}
		out = append(out, found...)
	}
	return out, nil
}

// readLexicons reads a file, which stands for the one entry that is referred to, or a directory that looks like a mounted
// ConfigMap.
func readLexicons(path string, ref v1alpha1.LexiconRef, several bool) ([]Lexicon, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if several {
			return nil, fmt.Errorf("the policy names several entries of it: give a directory")
		}
		return readLexicon(path)
	}
	if ref.Key != "" {
		if filepath.Base(ref.Key) != ref.Key || strings.HasPrefix(ref.Key, "..") {
			return nil, fmt.Errorf("%.80q is no name of a file", ref.Key)
		}
		return readLexicon(filepath.Join(path, ref.Key))
	}
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return nil, err
	}
	var out []Lexicon
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(out) == maxLexicons {
			return nil, fmt.Errorf("more than %d files", maxLexicons)
		}
		found, err := readLexicon(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func readLexicon(path string) ([]Lexicon, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	return []Lexicon{{Name: path, Text: string(text)}}, nil
}

// judgeKey reads the key of the judge's endpoint. One that the policy has no use for is a mistake worth stopping for.
func (s Standalone) judgeKey(p v1alpha1.ScreeningSpec) (string, error) {
	wanted := p.Judge != nil && p.Judge.APIKeySecretRef != nil
	switch {
	case s.JudgeKeyFile == "" && !wanted:
		return "", nil
	case !wanted:
		return "", fmt.Errorf("key of the judge: the policy has no spec.screening.judge.apiKeySecretRef")
	case s.JudgeKeyFile == "":
		return "", fieldErrorf("spec.screening.judge.apiKeySecretRef", "outside a cluster nobody delivers the key: give --judge-key FILE")
	}
	raw, err := readBounded(s.JudgeKeyFile)
	if err != nil {
		return "", fmt.Errorf("key of the judge: %w", err)
	}
	if err := CheckJudgeKey(raw); err != nil {
		return "", fmt.Errorf("key of the judge: %w", err)
	}
	return parseJudgeKey(raw)
}
