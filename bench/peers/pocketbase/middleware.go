package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pocketbase/pocketbase/core"
)

const timeFormat = "2006-01-02T15:04:05.000Z"

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// logRequest writes a line for each request, and the error of a failed one.
func logRequest(log *slog.Logger, route string) func(*core.RequestEvent) error {
	return func(event *core.RequestEvent) error {
		started := time.Now()
		id := event.Request.Header.Get("X-Request-Id")
		if !requestIDPattern.MatchString(id) {
			id = uuid.NewString()
		}
		event.Response.Header().Set("X-Request-Id", id)
		err := event.Next()
		if err != nil {
			err = writeError(event, log, err)
		}
		log.LogAttrs(event.Request.Context(), slog.LevelInfo, "request",
			slog.String("requestId", id),
			slog.String("method", event.Request.Method),
			slog.String("route", route),
			slog.Int("status", event.Status()),
			slog.Float64("durationMs", float64(time.Since(started).Microseconds())/1000))
		return err
	}
}

// authorize looks the token up, as a record, for each request.
func authorize(scope string) func(*core.RequestEvent) error {
	return func(event *core.RequestEvent) error {
		scheme, text, _ := strings.Cut(event.Request.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return errNotAuthenticated
		}
		digest := sha256.Sum256([]byte(text))
		token, err := event.App.FindFirstRecordByData("tokens", "digest", hex.EncodeToString(digest[:]))
		if errors.Is(err, sql.ErrNoRows) {
			return errNotAuthenticated
		}
		if err != nil {
			return err
		}
		expiresAt := token.GetString("expires_at")
		isExpired := expiresAt != "" && expiresAt <= time.Now().UTC().Format(timeFormat)
		if isExpired || token.GetString("revoked_at") != "" {
			return errNotAuthenticated
		}
		if !slices.Contains(strings.Fields(token.GetString("scopes")), scope) {
			return errForbidden
		}
		return event.Next()
	}
}

func writeError(event *core.RequestEvent, log *slog.Logger, err error) error {
	failed := errUnavailable
	if !errors.As(err, &failed) {
		log.Error("the database fails", slog.Any("cause", err))
	}
	if failed == errNotAuthenticated {
		event.Response.Header().Set("WWW-Authenticate", `Bearer realm="plant-store"`)
	}
	event.Response.Header().Set("Cache-Control", "no-store")
	return event.JSON(failed.status(), failed)
}
