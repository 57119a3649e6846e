// Package schema has the tables for the peers in Go: a module can only embed its own files.
package schema

import _ "embed"

// SQL creates the tables.
//
//go:embed schema.sql
var SQL string
