// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package provenance says where a memory came from and proves it: source classes and their
// lattice, the structural reading of claimed sources, channels, the keyset and the signed tag.
package provenance

// Class ranks where a memory came from. The zero value is not a class.
type Class string

// The source classes, highest first.
const (
	UserInput     Class = "UserInput"
	Manual        Class = "Manual"
	SystemMemory  Class = "SystemMemory"
	AgentInferred Class = "AgentInferred"
	SubagentTrace Class = "SubagentTrace"
	ToolOutput    Class = "ToolOutput"
	WebContent    Class = "WebContent"
	Unknown       Class = "Unknown"
)

// Classes lists every class, highest first.
var Classes = []Class{UserInput, Manual, SystemMemory, AgentInferred, SubagentTrace, ToolOutput, WebContent, Unknown}

// rank returns the position from the bottom: Unknown is 0. What is no class ranks as Unknown.
func (c Class) rank() int {
	for i, k := range Classes {
		if k == c {
			return len(Classes) - 1 - i
		}
	}
	return 0
}

// Valid reports whether c is one of Classes.
func (c Class) Valid() bool { return c == Unknown || c.rank() > 0 }

// High reports whether c is one of the classes that can be trusted: UserInput, Manual, SystemMemory.
func (c Class) High() bool { return c.rank() >= SystemMemory.rank() }

// Below reports whether c ranks lower than other.
func (c Class) Below(other Class) bool { return c.rank() < other.rank() }

// Min returns the lowest of the classes; a derived memory has at most the lowest class of what it
// was derived from. Of no classes it returns UserInput, the neutral element.
func Min(classes ...Class) Class {
	low := UserInput
	for _, c := range classes {
		if c.Below(low) {
			low = c
		}
	}
	if !low.Valid() {
		return Unknown
	}
	return low
}
