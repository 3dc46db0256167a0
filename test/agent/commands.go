// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// self is the agent that runs in this pod.
const self = "http://127.0.0.1:8080"

var selfClient = http.Client{Timeout: 15 * time.Second}

// runJob is an agent that ends: it remembers one fact, recalls it and prints the prompt.
func runJob(ctx context.Context, args []string) error {
	if len(args) != 0 {
		return errUsage
	}
	a := newAgent()
	const fact = "The shuttle to the airport leaves at 06:40."
	if _, err := a.memory.remember(ctx, "mcp:timetable", fact); err != nil {
		return fmt.Errorf("remember: %w", err)
	}
	result, err := a.ask(ctx, "When does the shuttle to the airport leave?")
	if err != nil {
		return err
	}
	if !strings.Contains(result.Prompt, fact) {
		return errors.New("the fact just stored was not recalled")
	}
	fmt.Println(result.Prompt)
	return nil
}

func browse(ctx context.Context, args []string) error { return feed(ctx, "/browse", args) }

func tell(ctx context.Context, args []string) error { return feed(ctx, "/tell", args) }

// feed hands SOURCE and TEXT to the running agent and prints, in a line or two, what became of them.
func feed(ctx context.Context, path string, args []string) error {
	if len(args) != 2 {
		return errUsage
	}
	var result stored
	if err := postJSON(ctx, &selfClient, self+path, input{Source: args[0], Text: args[1]}, &result); err != nil {
		return err
	}
	if result.Zone == "" {
		fmt.Println("remembered; nobody asked where it came from")
		return nil
	}
	fmt.Printf("zone %s, state %s, class %s, authority %s\n", result.Zone, result.State, result.Class, result.Authority)
	if result.Message != "" {
		fmt.Println(result.Message)
	}
	return nil
}

// ask prints the prompt of the running agent, and after it what the memory said about it.
func ask(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	var result answer
	if err := postJSON(ctx, &selfClient, self+"/ask", map[string]string{"question": args[0]}, &result); err != nil {
		return err
	}
	fmt.Println(result.Prompt)
	if len(result.Withheld) > 0 || result.Message != "" {
		fmt.Printf("\n[memory: %d withheld. %s]\n", len(result.Withheld), result.Message)
	}
	return nil
}

// cat prints files as this user may read them.
func cat(_ context.Context, args []string) error {
	for _, name := range args {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(content); err != nil {
			return err
		}
	}
	return nil
}

// stat prints mode, owner and group of files.
func stat(_ context.Context, args []string) error {
	for _, name := range args {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		owner, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return fmt.Errorf("%s: no owner", name)
		}
		fmt.Printf("%s %d:%d %s\n", info.Mode(), owner.Uid, owner.Gid, name)
	}
	return nil
}
