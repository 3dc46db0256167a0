// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// signedThings are all that the key of an agent signs one by one.
func signedThings(random *rand.Rand) (agentID string, s OpenedSession, t Turn, r Record) {
	pieces := []string{"", "a", "b", "ab", "s", "\x00", "memturn/v1", "s\x00\x00\x00\x00\x00\x00\x00\x01a"}
	pick := func() string { return pieces[random.IntN(len(pieces))] }
	at := func() time.Time {
		if n := random.Int64N(3); n > 0 {
			return time.UnixMicro(n).UTC()
		}
		return time.Time{}
	}
	agentID = pick()
	s = OpenedSession{Namespace: pick(), ID: pick(), Writer: Writer{pick(), pick()}, OpenedAt: at()}
	t = Turn{Namespace: pick(), Session: pick(), ID: pick(), Writer: Writer{pick(), pick()}, Content: pick(), At: at()}
	r = Record{Namespace: pick(), ID: pick(), Zone: Zone(pick()), State: State(pick()), Source: pick(), Content: pick(), Expiry: at()}
	return agentID, s, t, r
}

// No two sessions, turns or records share a message, neither among themselves nor with one of another kind.
func TestSignedMessagesAreInjective(t *testing.T) {
	type signed struct {
		agentID string
		value   any
	}
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]signed{}
	note := func(message []byte, s signed) {
		if other, ok := seen[string(message)]; ok && !reflect.DeepEqual(s, other) {
			t.Fatalf("one message for\n%#v\n%#v", s, other)
		}
		seen[string(message)] = s
	}
	for range 20_000 {
		agentID, session, turn, record := signedThings(random)
		note(session.Message(agentID), signed{agentID, session})
		note(turn.Message(agentID), signed{agentID, turn})
		note(record.Tuple(agentID).Message(), signed{agentID, record.Tuple(agentID)})
	}
}

// Every field but the tag itself is in the message.
func TestMessagesCoverEveryField(t *testing.T) {
	at := time.UnixMicro(1).UTC()
	session := OpenedSession{Namespace: "n", ID: "i", Writer: Writer{"c", "p"}, OpenedAt: at}
	turn := Turn{Namespace: "n", Session: "s", ID: "i", Writer: Writer{"c", "p"}, Content: "x", At: at}
	for name, value := range map[string]interface{ Message(string) []byte }{"session": session, "turn": turn} {
		if bytes.Equal(value.Message("a"), value.Message("b")) {
			t.Errorf("%s: the agent is not covered", name)
		}
		fields := reflect.TypeOf(value)
		for i := range fields.NumField() {
			changed := reflect.New(fields).Elem()
			changed.Set(reflect.ValueOf(value))
			bump(changed.Field(i))
			message := changed.Interface().(interface{ Message(string) []byte }).Message("a")
			if covered := !bytes.Equal(message, value.Message("a")); covered != (fields.Field(i).Name != "Tag") {
				t.Errorf("%s: field %s covered: %v", name, fields.Field(i).Name, covered)
			}
		}
	}
	shifted := session
	shifted.Writer = Writer{"cp", ""}
	if bytes.Equal(shifted.Message("a"), session.Message("a")) {
		t.Error("channel and principal can be shifted into each other")
	}
}

// bump makes another value of a field.
func bump(f reflect.Value) {
	switch value := f.Interface().(type) {
	case time.Time:
		f.Set(reflect.ValueOf(value.Add(time.Microsecond)))
	case []byte:
		f.SetBytes(append(value, 1))
	case Writer:
		f.Set(reflect.ValueOf(Writer{value.Channel, value.Principal + "x"}))
	default:
		f.SetString(f.String() + "x")
	}
}

func FuzzTurnMessage(f *testing.F) {
	f.Add("a", "b", "c", "a", "b", "c")
	f.Add("ab", "", "c", "a", "b", "c")
	f.Fuzz(func(t *testing.T, sessionA, idA, contentA, sessionB, idB, contentB string) {
		a, b := Turn{Session: sessionA, ID: idA, Content: contentA}, Turn{Session: sessionB, ID: idB, Content: contentB}
		same := sessionA == sessionB && idA == idB && contentA == contentB
		if bytes.Equal(a.Message("x"), b.Message("x")) != same {
			t.Fatalf("same turn %v, same message %v", same, !same)
		}
		if bytes.Equal(a.Message("x"), OpenedSession{ID: sessionB}.Message("x")) {
			t.Fatal("a turn and a session share a message")
		}
	})
}
