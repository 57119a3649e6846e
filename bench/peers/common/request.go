package common

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	bodyBytesMax = 64 * 1024
	limitDefault = 100
	limitMax     = 1000
)

// TimeFormat is RFC 3339 in UTC, with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// RequestID returns the id that the client has sent, or a new one.
func RequestID(header http.Header) string {
	if id := header.Get("X-Request-Id"); requestIDPattern.MatchString(id) {
		return id
	}
	return uuid.NewString()
}

// TokenDigest is the digest of the bearer token. It fails with ErrNotAuthenticated.
func TokenDigest(header http.Header) (string, error) {
	scheme, text, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", ErrNotAuthenticated
	}
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:]), nil
}

// ReadPlant reads the body of a create.
func ReadPlant(writer http.ResponseWriter, request *http.Request) (NewPlant, error) {
	if mediaType, _, err := mime.ParseMediaType(request.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		return NewPlant{}, ErrUnsupportedType
	}
	body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, bodyBytesMax))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return NewPlant{}, ErrTooLarge
	}
	if err != nil {
		return NewPlant{}, ErrInvalidBody
	}
	return parsePlant(body)
}

// ParsePage returns the limit and the id at which the page begins.
func ParsePage(request *http.Request) (limit int, first int64, err error) {
	query := request.URL.Query()
	limit, first = limitDefault, math.MinInt64
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > limitMax {
			return 0, 0, ErrInvalidLimit
		}
	}
	if cursor := query.Get("after"); cursor != "" {
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil {
			return 0, 0, ErrInvalidCursor
		}
		if first, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return 0, 0, ErrInvalidCursor
		}
	}
	return limit, first, nil
}

// NextLink returns the link to the page that begins with this id.
func NextLink(limit int, id int64) string {
	cursor := base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, id, 10))
	return fmt.Sprintf(`</plants?limit=%d&after=%s>; rel="next"`, limit, cursor)
}

// Matches evaluates If-None-Match.
func Matches(condition, tag string) bool {
	for one := range strings.SplitSeq(condition, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// LogRequest writes the line of a request.
func LogRequest(log *slog.Logger, request *http.Request, id, route string, status int, started time.Time) {
	log.LogAttrs(request.Context(), slog.LevelInfo, "request",
		slog.String("requestId", id),
		slog.String("method", request.Method),
		slog.String("route", route),
		slog.Int("status", status),
		slog.Float64("durationMs", float64(time.Since(started).Microseconds())/1000))
}

// FailureOf logs what is not a failure of the client, sets the headers of the response, and returns its body.
func FailureOf(err error, log *slog.Logger, header http.Header) Failure {
	failed := ErrUnavailable
	if !errors.As(err, &failed) {
		log.Error("the database fails", slog.Any("cause", err))
	}
	if failed == ErrNotAuthenticated {
		header.Set("WWW-Authenticate", `Bearer realm="plant-store"`)
	}
	header.Set("Cache-Control", "no-store")
	return failed
}
