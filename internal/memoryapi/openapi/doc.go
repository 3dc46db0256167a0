// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package openapi holds the generated OpenAPI definitions of what the aggregated API serves.
package openapi
