package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"plant-store-peers/common"
)

func createPlant(event *core.RequestEvent) error {
	sent, err := common.ReadPlant(event.Response, event.Request)
	if err != nil {
		return err
	}
	plant, err := asStored(sent)
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
	event.Response.Header().Set("ETag", common.EntityTag(representation))
	return event.JSON(http.StatusOK, common.CreatedPlant{Name: created.Name, Tag: created.Tag})
}

func getPlant(event *core.RequestEvent) error {
	id, err := strconv.ParseInt(event.Request.PathValue("id"), 10, 64)
	if err != nil {
		return common.ErrInvalidID
	}
	found, err := event.App.FindFirstRecordByData("plants", "number", id)
	if errors.Is(err, sql.ErrNoRows) {
		return common.ErrNotFound
	}
	if err != nil {
		return err
	}
	representation, err := json.Marshal(plantOf(found))
	if err != nil {
		return err
	}
	tag := common.EntityTag(representation)
	event.Response.Header().Set("ETag", tag)
	if common.Matches(event.Request.Header.Get("If-None-Match"), tag) {
		return event.NoContent(http.StatusNotModified)
	}
	return event.Blob(http.StatusOK, "application/json", representation)
}

func listPlants(event *core.RequestEvent) error {
	limit, first, err := common.ParsePage(event.Request)
	if err != nil {
		return err
	}
	query := event.App.RecordQuery("plants").
		AndWhere(dbx.NewExp("number >= {:first}", dbx.Params{"first": first})).
		OrderBy("number ASC").
		Limit(int64(limit) + 1)
	var records []*core.Record
	// One more shows whether there is a next page.
	if err := query.All(&records); err != nil {
		return err
	}
	if len(records) > limit {
		event.Response.Header().Set("Link", common.NextLink(limit, int64(records[limit].GetInt("number"))))
		records = records[:limit]
	}
	plants := make([]common.Plant, len(records))
	for index, record := range records {
		plants[index] = plantOf(record)
	}
	return event.JSON(http.StatusOK, plants)
}

// savePlant saves the plant and its event in one transaction. The same plant again succeeds and writes nothing; another one with the
// same id is common.ErrConflict.
func savePlant(app core.App, sent common.NewPlant) (saved common.Plant, err error) {
	err = app.RunInTransaction(func(tx core.App) error {
		existing, err := tx.FindFirstRecordByData("plants", "number", *sent.ID)
		if err == nil {
			saved = plantOf(existing)
			if !saved.HasContentOf(sent) {
				return common.ErrConflict
			}
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now().UTC().Format(common.TimeFormat)
		saved = common.Plant{ID: *sent.ID, Name: *sent.Name, Tag: sent.Tag.Text, CreatedAt: now, UpdatedAt: now}
		fields := map[string]any{"number": *sent.ID, "name": *sent.Name, "tag": tagOrEmpty(saved), "created_at": now, "updated_at": now}
		if err := saveRecord(tx, "plants", fields); err != nil {
			return err
		}
		fields = map[string]any{"type": "plant.created", "timestamp": now, "plant_id": *sent.ID, "name": *sent.Name, "tag": tagOrEmpty(saved)}
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
