package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"plant-store-peers/common"
)

type server struct {
	store *store
	log   *slog.Logger
}

// statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// handle checks the token and its scope, runs the operation, writes its error as JSON and logs a line.
func (s *server) handle(route, scope string, operate func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(plain http.ResponseWriter, request *http.Request) {
		started := time.Now()
		id := common.RequestID(request.Header)
		plain.Header().Set("X-Request-Id", id)
		writer := &statusWriter{plain, http.StatusOK}
		err := s.authorize(request.Context(), request.Header, scope)
		if err == nil {
			err = operate(writer, request)
		}
		if err != nil {
			s.writeError(writer, err)
		}
		common.LogRequest(s.log, request, id, route, writer.status, started)
	})
}

// authorize looks the token up. An empty scope needs no token.
func (s *server) authorize(ctx context.Context, header http.Header, scope string) error {
	if scope == "" {
		return nil
	}
	digest, err := common.TokenDigest(header)
	if err != nil {
		return err
	}
	token, err := s.store.token(ctx, digest)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return common.ErrNotAuthenticated
	case err != nil:
		return err
	case token.revokedAt.Valid || token.expiresAt.Valid && token.expiresAt.String <= time.Now().UTC().Format(common.TimeFormat):
		return common.ErrNotAuthenticated
	case !slices.Contains(strings.Fields(token.scopes), scope):
		return common.ErrForbidden
	}
	return nil
}

func (s *server) writeError(writer http.ResponseWriter, err error) {
	failed := common.FailureOf(err, s.log, writer.Header())
	// A failure is a number and a string, so the encoding cannot fail.
	body, _ := json.Marshal(failed)
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(failed.Status())
	writer.Write(body)
}
