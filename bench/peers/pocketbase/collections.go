package main

import (
	"path/filepath"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"plant-store-peers/common"
)

// connect sets the same pragmas as PocketBase, except synchronous=FULL: each commit is synced before it returns.
func connect(database string) core.DBConnectFunc {
	return func(path string) (*dbx.DB, error) {
		if filepath.Base(path) == "data.db" {
			path = database
		}
		return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
			"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
	}
}

// createCollections makes the tables of schema.sql as collections, and the token. They differ where PocketBase has no choice. The id of
// a record is a text, so the plant's id is the field number. Numbers are float64, so it is exact only up to 2^53. A text is never null,
// so an absent tag is an empty one. The log has no sequence, so it is sorted by rowid.
func createCollections(app core.App, tokenDigest string) error {
	tokens := core.NewBaseCollection("tokens")
	tokens.Fields.Add(
		&core.TextField{Name: "digest", Required: true},
		&core.TextField{Name: "scopes", Required: true},
		&core.TextField{Name: "expires_at"},
		&core.TextField{Name: "revoked_at"},
	)
	tokens.AddIndex("tokens_digest", true, "digest", "")

	plants := core.NewBaseCollection("plants")
	plants.Fields.Add(
		&core.NumberField{Name: "number", OnlyInt: true},
		&core.TextField{Name: "name", Max: common.NameLengthMax},
		&core.TextField{Name: "tag", Max: common.TagLengthMax},
		&core.TextField{Name: "created_at"},
		&core.TextField{Name: "updated_at"},
	)
	plants.AddIndex("plants_number", true, "number", "")
	plants.AddIndex("plants_tag", false, "tag, number", "")
	plants.AddIndex("plants_created_at", false, "created_at, number", "")

	events := core.NewBaseCollection("events")
	events.Fields.Add(
		&core.TextField{Name: "type", Required: true},
		&core.TextField{Name: "timestamp", Required: true},
		&core.NumberField{Name: "plant_id", OnlyInt: true},
		&core.TextField{Name: "name", Max: common.NameLengthMax},
		&core.TextField{Name: "tag", Max: common.TagLengthMax},
	)

	return app.RunInTransaction(func(tx core.App) error {
		for _, collection := range []*core.Collection{tokens, plants, events} {
			if err := tx.Save(collection); err != nil {
				return err
			}
		}
		token := core.NewRecord(tokens)
		token.Set("digest", tokenDigest)
		token.Set("scopes", "plants:read plants:write")
		return tx.Save(token)
	})
}
