package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
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
		id := requestID(request.Header)
		plain.Header().Set("X-Request-Id", id)
		writer := &statusWriter{plain, http.StatusOK}
		err := s.authorize(request.Context(), request.Header, scope)
		if err == nil {
			err = operate(writer, request)
		}
		if err != nil {
			s.writeError(writer, err)
		}
		s.log.LogAttrs(request.Context(), slog.LevelInfo, "request",
			slog.String("requestId", id),
			slog.String("method", request.Method),
			slog.String("route", route),
			slog.Int("status", writer.status),
			slog.Float64("durationMs", float64(time.Since(started).Microseconds())/1000))
	})
}

// authorize looks the token up. An empty scope needs no token.
func (s *server) authorize(ctx context.Context, header http.Header, scope string) error {
	if scope == "" {
		return nil
	}
	scheme, text, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return errNotAuthenticated
	}
	digest := sha256.Sum256([]byte(text))
	token, err := s.store.token(ctx, hex.EncodeToString(digest[:]))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errNotAuthenticated
	case err != nil:
		return err
	case token.revokedAt.Valid || token.expiresAt.Valid && token.expiresAt.String <= time.Now().UTC().Format(timeFormat):
		return errNotAuthenticated
	case !slices.Contains(strings.Fields(token.scopes), scope):
		return errForbidden
	}
	return nil
}

func (s *server) writeError(writer http.ResponseWriter, err error) {
	failed := errUnavailable
	if !errors.As(err, &failed) {
		s.log.Error("the database fails", slog.Any("cause", err))
	}
	if failed == errNotAuthenticated {
		writer.Header().Set("WWW-Authenticate", `Bearer realm="plant-store"`)
	}
	// A failure is a number and a string, which are always JSON.
	body, _ := json.Marshal(failed)
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Cache-Control", "no-store")
	writer.WriteHeader(failed.status())
	writer.Write(body)
}

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func requestID(header http.Header) string {
	if id := header.Get("X-Request-Id"); id != "" && requestIDPattern.MatchString(id) {
		return id
	}
	return uuid.NewString()
}
