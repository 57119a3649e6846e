package main

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"time"

	_ "github.com/mattn/go-sqlite3"
	schema "plant-store-peers"
	"plant-store-peers/common"
)

// store has one connection for writes, so that writes wait in Go and not for SQLite's lock, and a pool for reads.
type store struct {
	writer      *sql.DB
	insertPlant *sql.Stmt
	insertEvent *sql.Stmt
	findToken   *sql.Stmt
	findPlant   *sql.Stmt
	findPage    *sql.Stmt
}

type token struct {
	scopes    string
	expiresAt sql.NullString
	revokedAt sql.NullString
}

// openStore creates the tables and the token in a new file.
func openStore(path, tokenDigest string) (*store, error) {
	writer, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if err := createTables(writer, tokenDigest); err != nil {
		return nil, err
	}
	reader, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	reader.SetMaxOpenConns(runtime.NumCPU())
	reader.SetMaxIdleConns(runtime.NumCPU())

	store := &store{writer: writer}
	for _, statement := range []struct {
		prepared **sql.Stmt
		database *sql.DB
		text     string
	}{
		{&store.insertPlant, writer, "INSERT INTO plants (id, name, tag, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT DO NOTHING"},
		{&store.insertEvent, writer, "INSERT INTO events (type, timestamp, plant_id, name, tag) VALUES ('plant.created', ?, ?, ?, ?)"},
		{&store.findToken, reader, "SELECT scopes, expires_at, revoked_at FROM tokens WHERE digest = ?"},
		{&store.findPlant, reader, "SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?"},
		{&store.findPage, reader, "SELECT id, name, tag, created_at, updated_at FROM plants WHERE id >= ? ORDER BY id LIMIT ?"},
	} {
		if *statement.prepared, err = statement.database.Prepare(statement.text); err != nil {
			return nil, err
		}
	}
	return store, nil
}

// token returns sql.ErrNoRows when there is no such token.
func (s *store) token(ctx context.Context, digest string) (token, error) {
	var token token
	err := s.findToken.QueryRowContext(ctx, digest).Scan(&token.scopes, &token.expiresAt, &token.revokedAt)
	return token, err
}

// plant fails with common.ErrNotFound when there is no such plant.
func (s *store) plant(ctx context.Context, id int64) (common.Plant, error) {
	return scanPlant(s.findPlant.QueryRowContext(ctx, id))
}

// page returns at most limit plants in ascending order of their ids, starting at an id.
func (s *store) page(ctx context.Context, first int64, limit int) ([]common.Plant, error) {
	rows, err := s.findPage.QueryContext(ctx, first, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	records := make([]common.Plant, 0, limit)
	for rows.Next() {
		record, err := scanPlant(rows)
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, rows.Err()
}

// create writes the plant and its event in one transaction, which is synced when it returns. The same plant again succeeds and
// writes nothing; another one with the same id is common.ErrConflict.
func (s *store) create(ctx context.Context, plant common.NewPlant) (common.Plant, error) {
	transaction, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return common.Plant{}, err
	}
	// It has no effect after a commit.
	defer transaction.Rollback()
	now := time.Now().UTC().Format(common.TimeFormat)
	result, err := transaction.StmtContext(ctx, s.insertPlant).Exec(*plant.ID, *plant.Name, plant.Tag.Text, now)
	if err != nil {
		return common.Plant{}, err
	}
	count, err := result.RowsAffected()
	if err != nil {
		return common.Plant{}, err
	}
	if count == 0 {
		return s.repeat(ctx, transaction, plant)
	}
	if _, err := transaction.StmtContext(ctx, s.insertEvent).Exec(now, *plant.ID, *plant.Name, plant.Tag.Text); err != nil {
		return common.Plant{}, err
	}
	return common.Plant{ID: *plant.ID, Name: *plant.Name, Tag: plant.Tag.Text, CreatedAt: now, UpdatedAt: now}, transaction.Commit()
}

func (s *store) repeat(ctx context.Context, transaction *sql.Tx, plant common.NewPlant) (common.Plant, error) {
	existing, err := scanPlant(transaction.QueryRowContext(
		ctx, "SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?", *plant.ID))
	if err == nil && !existing.HasContentOf(plant) {
		err = common.ErrConflict
	}
	return existing, err
}

func createTables(writer *sql.DB, tokenDigest string) error {
	if _, err := writer.Exec(schema.SQL); err != nil {
		return err
	}
	_, err := writer.Exec("INSERT INTO tokens (digest, scopes) VALUES (?, 'plants:read plants:write')", tokenDigest)
	return err
}

func scanPlant(row interface{ Scan(...any) error }) (common.Plant, error) {
	var found common.Plant
	err := row.Scan(&found.ID, &found.Name, &found.Tag, &found.CreatedAt, &found.UpdatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		err = common.ErrNotFound
	}
	return found, err
}
