package main

import (
	"plant-store-peers/common"

	"github.com/pocketbase/pocketbase/core"
)

// safeIntegerMax is the greatest integer up to which a float64 is exact. PocketBase has no other numbers.
const safeIntegerMax = 1<<53 - 1

// asStored returns the plant as PocketBase can store it. PocketBase cannot distinguish an empty tag from none. It fails with ErrInvalidBody.
func asStored(sent common.NewPlant) (common.NewPlant, error) {
	if max(*sent.ID, -*sent.ID) > safeIntegerMax {
		return common.NewPlant{}, common.ErrInvalidBody
	}
	if sent.Tag.Text != nil && *sent.Tag.Text == "" {
		sent.Tag.Text = nil
	}
	return sent, nil
}

func plantOf(record *core.Record) common.Plant {
	found := common.Plant{
		ID:        int64(record.GetInt("number")),
		Name:      record.GetString("name"),
		CreatedAt: record.GetString("created_at"),
		UpdatedAt: record.GetString("updated_at"),
	}
	if tag := record.GetString("tag"); tag != "" {
		found.Tag = &tag
	}
	return found
}

func tagOrEmpty(plant common.Plant) string {
	if plant.Tag == nil {
		return ""
	}
	return *plant.Tag
}
