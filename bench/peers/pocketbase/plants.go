package main

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

const (
	bodyBytesMax = 64 * 1024
	limitDefault = 100
	limitMax     = 1000
)

func createPlant(event *core.RequestEvent) error {
	mediaType, _, err := mime.ParseMediaType(event.Request.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return errUnsupportedType
	}
	body, err := io.ReadAll(http.MaxBytesReader(event.Response, event.Request.Body, bodyBytesMax))
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
	created, err := savePlant(event.App, plant)
	if err != nil {
		return err
	}
	representation, err := json.Marshal(created)
	if err != nil {
		return err
	}
	event.Response.Header().Set("Location", fmt.Sprintf("/plants/%d", created.ID))
	event.Response.Header().Set("ETag", entityTag(representation))
	return event.JSON(http.StatusOK, createdPlant{created.Name, created.Tag})
}

func getPlant(event *core.RequestEvent) error {
	id, err := strconv.ParseInt(event.Request.PathValue("id"), 10, 64)
	if err != nil {
		return errInvalidID
	}
	found, err := event.App.FindFirstRecordByData("plants", "number", id)
	if errors.Is(err, sql.ErrNoRows) {
		return errNotFound
	}
	if err != nil {
		return err
	}
	representation, err := json.Marshal(plantOf(found))
	if err != nil {
		return err
	}
	tag := entityTag(representation)
	event.Response.Header().Set("ETag", tag)
	if matches(event.Request.Header.Get("If-None-Match"), tag) {
		return event.NoContent(http.StatusNotModified)
	}
	return event.Blob(http.StatusOK, "application/json", representation)
}

func listPlants(event *core.RequestEvent) error {
	limit, first, err := parsePage(event.Request)
	if err != nil {
		return err
	}
	query := event.App.RecordQuery("plants").OrderBy("number ASC").Limit(int64(limit) + 1)
	if first != nil {
		query.AndWhere(dbx.NewExp("number >= {:first}", dbx.Params{"first": *first}))
	}
	var records []*core.Record
	// One more shows whether there is a next page.
	if err := query.All(&records); err != nil {
		return err
	}
	if len(records) > limit {
		cursor := base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, int64(records[limit].GetInt("number")), 10))
		event.Response.Header().Set("Link", fmt.Sprintf(`</plants?limit=%d&after=%s>; rel="next"`, limit, cursor))
		records = records[:limit]
	}
	plants := make([]plant, len(records))
	for index, record := range records {
		plants[index] = plantOf(record)
	}
	return event.JSON(http.StatusOK, plants)
}

// savePlant saves the plant and its event in one transaction. The same plant again succeeds and writes nothing; another one of the
// same id is errConflict.
func savePlant(app core.App, sent newPlant) (saved plant, err error) {
	err = app.RunInTransaction(func(tx core.App) error {
		existing, err := tx.FindFirstRecordByData("plants", "number", *sent.ID)
		if err == nil {
			saved = plantOf(existing)
			if !saved.hasContentOf(sent) {
				return errConflict
			}
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now().UTC().Format(timeFormat)
		saved = plant{*sent.ID, *sent.Name, sent.Tag.text, now, now}
		fields := map[string]any{"number": *sent.ID, "name": *sent.Name, "tag": saved.tagOrEmpty(), "created_at": now, "updated_at": now}
		if err := saveRecord(tx, "plants", fields); err != nil {
			return err
		}
		fields = map[string]any{"type": "plant.created", "timestamp": now, "plant_id": *sent.ID, "name": *sent.Name, "tag": saved.tagOrEmpty()}
		return saveRecord(tx, "events", fields)
	})
	return saved, err
}

func saveRecord(tx core.App, collectionName string, fields map[string]any) error {
	collection, err := tx.FindCachedCollectionByNameOrId(collectionName)
	if err != nil {
		return err
	}
	record := core.NewRecord(collection)
	record.Load(fields)
	return tx.Save(record)
}

// parsePage returns the limit, and the id at which the page begins unless it is the first one.
func parsePage(request *http.Request) (limit int, first *int64, err error) {
	query := request.URL.Query()
	limit = limitDefault
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > limitMax {
			return 0, nil, errInvalidLimit
		}
	}
	if cursor := query.Get("after"); cursor != "" {
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil {
			return 0, nil, errInvalidCursor
		}
		id, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return 0, nil, errInvalidCursor
		}
		first = &id
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
