// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tries calls a tool; whether it has a result does not matter.
func (s *scene) tries(client *mcp.ClientSession, tool string, arguments any) error {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	_, err := client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	return err
}

// tally counts in how many scenes what was tried had its effect.
type tally struct {
	tried    map[string]int
	happened map[string]int
}

func (c *tally) count(key string, happened bool) {
	c.tried[key]++
	if happened {
		c.happened[key]++
	}
}

// TestScenarios plays every attack and every twin with each defense, each for a tenant of its own, and prints the figures.
func TestScenarios(t *testing.T) {
	counts := &tally{tried: map[string]int{}, happened: map[string]int{}}
	arms := []arm{noDefense, adviceOnly, throughGateway}
	offices := map[arm]*office{noDefense: openServers(t), adviceOnly: openOffice(t), throughGateway: openOffice(t)}
	for i, sc := range scenarios {
		for _, a := range arms {
			t.Run(sc.id+"/"+string(a), func(t *testing.T) {
				play := func(half string, obeys bool, act func(*scene) bool) bool {
					o := offices[a].anew(t, fmt.Sprintf("%s-%d", half, i))
					return act(&scene{office: o, arm: a, obeys: obeys, clients: map[string]*mcp.ClientSession{}})
				}
				effect := play("attack", true, sc.attack)
				counts.count(string(a)+" attack", effect)
				through := play("twin", false, sc.twin)
				counts.count(string(a)+" twin", through)
				if effect == (a == throughGateway) {
					t.Errorf("the attack had its effect: %t", effect)
				}
				if !through {
					t.Error("the benign twin did not go through")
				}
			})
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-14s %-16s %s\n", "defense", "attacks succeed", "benign succeed")
	for _, a := range arms {
		attack, twin := string(a)+" attack", string(a)+" twin"
		fmt.Fprintf(&out, "%-14s %-16s %d/%d\n", a, fmt.Sprintf("%d/%d", counts.happened[attack], counts.tried[attack]), counts.happened[twin], counts.tried[twin])
	}
	t.Logf("%d attacks, each with a benign twin\n%s", len(scenarios), out.String())
}
