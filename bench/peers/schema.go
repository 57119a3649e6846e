// Package schema has the tables for the peers in Go, since a program can only embed files of its own module.
package schema

import _ "embed"

// SQL creates the tables.
//
//go:embed schema.sql
var SQL string
