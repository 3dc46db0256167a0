// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// AgentStoreStatus says where the memory of an agent is.
type AgentStoreStatus struct {
	// type of the store: Ephemeral, Persistent or Postgres; empty while that is not known.
	// +optional
	Type string `json:"type,omitempty"`
	// memories counts live memories, as last reported.
	// +optional
	Memories int64 `json:"memories"`
	// commits counts the entries of the audit log, as last reported.
	// +optional
	Commits int64 `json:"commits"`
	// reachable is whether a screener of the agent runs that can be asked.
	// +optional
	Reachable bool `json:"reachable"`
	// embeddedPods are pods that keep memories in a store of their own.
	// +listType=set
	// +optional
	EmbeddedPods []string `json:"embeddedPods,omitempty"`
}

// AgentStore is where the memory of an agent is. Its name is that of the AgentMemory.
//
// +kubebuilder:object:root=true
type AgentStore struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the AgentMemory, as far as it names the agent.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// status says where the memory is.
	// +optional
	Status AgentStoreStatus `json:"status,omitzero"`
}

// AgentStoreList is a list of AgentStore.
//
// +kubebuilder:object:root=true
type AgentStoreList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	// items of the list.
	// +listType=atomic
	Items []AgentStore `json:"items"`
}

// StoreMigrationSpec asks for a move of an agent's memory to PostgreSQL.
type StoreMigrationSpec struct {
	// dryRun says what would be moved, and changes nothing. So does the parameter dryRun=All.
	// +optional
	DryRun bool `json:"dryRun,omitempty"`
}

// TableRows counts the rows of a table.
type TableRows struct {
	// table is its name.
	// +required
	Table string `json:"table"`
	// rows that both stores had.
	// +required
	Rows int64 `json:"rows"`
}

// StoreMigrationStatus says how far a move has come.
type StoreMigrationStatus struct {
	// store is the type of the store that the memory is in now: Embedded or Postgres.
	// +optional
	Store string `json:"store,omitempty"`
	// phase is Copying, Verifying, Switching, Done or Failed; empty where nothing was moved.
	// +optional
	Phase string `json:"phase,omitempty"`
	// began is when it began.
	// +optional
	Began *metav1.Time `json:"began,omitempty"`
	// ended is when it ended.
	// +optional
	Ended *metav1.Time `json:"ended,omitempty"`
	// copied counts the rows that were copied.
	// +optional
	Copied int64 `json:"copied,omitempty"`
	// total counts the rows that there were when it began.
	// +optional
	Total int64 `json:"total,omitempty"`
	// message says what happened, or would happen, and what to do.
	// +optional
	Message string `json:"message,omitempty"`
	// rows of each table, which both stores had at the moment of the move.
	// +listType=map
	// +listMapKey=table
	// +optional
	Rows []TableRows `json:"rows,omitempty"`
	// digest is a sum over the SHA-256 of every row, the same in both stores, hex.
	// +optional
	Digest string `json:"digest,omitempty"`
	// auditSize is the number of entries of the audit log, the same in both stores.
	// +optional
	AuditSize int64 `json:"auditSize,omitempty"`
	// auditRoot is the root hash of the audit log, the same in both stores, base64.
	// +optional
	AuditRoot string `json:"auditRoot,omitempty"`
	// heldMilliseconds is for how long writes were held.
	// +optional
	HeldMilliseconds int64 `json:"heldMilliseconds,omitempty"`
}

// StoreMigration is the body that begins to move an agent's memory to PostgreSQL, and what is told of the move.
//
// +kubebuilder:object:root=true
type StoreMigration struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of the AgentStore.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what is asked for.
	// +optional
	Spec StoreMigrationSpec `json:"spec,omitzero"`
	// status is how far it has come.
	// +optional
	Status StoreMigrationStatus `json:"status,omitzero"`
}
