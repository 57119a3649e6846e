package main

import (
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"plant-store-peers/common"
)

// logRequest writes a line for each request, and the error of a failed one.
func logRequest(log *slog.Logger, route string) func(*core.RequestEvent) error {
	return func(event *core.RequestEvent) error {
		started := time.Now()
		id := common.RequestID(event.Request.Header)
		event.Response.Header().Set("X-Request-Id", id)
		err := event.Next()
		if err != nil {
			err = writeError(event, log, err)
		}
		common.LogRequest(log, event.Request, id, route, event.Status(), started)
		return err
	}
}

// authorize looks the token up, as a record, for each request.
func authorize(scope string) func(*core.RequestEvent) error {
	return func(event *core.RequestEvent) error {
		digest, err := common.TokenDigest(event.Request.Header)
		if err != nil {
			return err
		}
		token, err := event.App.FindFirstRecordByData("tokens", "digest", digest)
		if errors.Is(err, sql.ErrNoRows) {
			return common.ErrNotAuthenticated
		}
		if err != nil {
			return err
		}
		expiresAt := token.GetString("expires_at")
		isExpired := expiresAt != "" && expiresAt <= time.Now().UTC().Format(common.TimeFormat)
		if isExpired || token.GetString("revoked_at") != "" {
			return common.ErrNotAuthenticated
		}
		if !slices.Contains(strings.Fields(token.GetString("scopes")), scope) {
			return common.ErrForbidden
		}
		return event.Next()
	}
}

func writeError(event *core.RequestEvent, log *slog.Logger, err error) error {
	failed := common.FailureOf(err, log, event.Response.Header())
	return event.JSON(failed.Status(), failed)
}
