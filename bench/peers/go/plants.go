package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	bodyBytesMax = 64 * 1024
	limitDefault = 100
	limitMax     = 1000
)

func (s *server) createPlant(writer http.ResponseWriter, request *http.Request) error {
	if mediaType, _, err := mime.ParseMediaType(request.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		return errUnsupportedType
	}
	body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, bodyBytesMax))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return errTooLarge
	}
	if err != nil {
		return errInvalidBody
	}
	plant, err := parsePlant(body)
	if err != nil {
		return err
	}
	created, err := s.store.create(request.Context(), plant)
	if err != nil {
		return err
	}
	representation, err := json.Marshal(created)
	if err != nil {
		return err
	}
	writer.Header().Set("Location", "/plants/"+strconv.FormatInt(created.ID, 10))
	writer.Header().Set("ETag", entityTag(representation))
	return writeJSON(writer, createdPlant{created.Name, created.Tag})
}

func (s *server) getPlant(writer http.ResponseWriter, request *http.Request) error {
	id, err := strconv.ParseInt(request.PathValue("id"), 10, 64)
	if err != nil {
		return errInvalidID
	}
	found, err := s.store.plant(request.Context(), id)
	if err != nil {
		return err
	}
	representation, err := json.Marshal(found)
	if err != nil {
		return err
	}
	tag := entityTag(representation)
	writer.Header().Set("ETag", tag)
	if matches(request.Header.Get("If-None-Match"), tag) {
		writer.WriteHeader(http.StatusNotModified)
		return nil
	}
	writeBody(writer, representation)
	return nil
}

func (s *server) listPlants(writer http.ResponseWriter, request *http.Request) error {
	limit, first, err := parsePage(request)
	if err != nil {
		return err
	}
	// One more shows whether there is a next page.
	plants, err := s.store.page(request.Context(), first, limit+1)
	if err != nil {
		return err
	}
	if len(plants) > limit {
		cursor := base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, plants[limit].ID, 10))
		writer.Header().Set("Link", fmt.Sprintf(`</plants?limit=%d&after=%s>; rel="next"`, limit, cursor))
		plants = plants[:limit]
	}
	return writeJSON(writer, plants)
}

// parsePage returns the limit and the id at which the page begins, which is what a cursor says.
func parsePage(request *http.Request) (limit int, first int64, err error) {
	query := request.URL.Query()
	limit, first = limitDefault, math.MinInt64
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > limitMax {
			return 0, 0, errInvalidLimit
		}
	}
	if cursor := query.Get("after"); cursor != "" {
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil {
			return 0, 0, errInvalidCursor
		}
		if first, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return 0, 0, errInvalidCursor
		}
	}
	return limit, first, nil
}

func matches(condition, tag string) bool {
	for one := range strings.SplitSeq(condition, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

func writeJSON(writer http.ResponseWriter, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	writeBody(writer, body)
	return nil
}

func writeBody(writer http.ResponseWriter, body []byte) {
	writer.Header().Set("Content-Type", "application/json")
	// It fails only when the client has gone, and then nobody waits for it.
	writer.Write(body)
}
