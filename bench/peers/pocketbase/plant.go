package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/pocketbase/pocketbase/core"
)

// safeIntegerMax is the greatest integer up to which a float64 is exact.
const safeIntegerMax = 1<<53 - 1

// newPlant is what a client creates. Other members are ignored.
type newPlant struct {
	ID   *int64  `json:"id"`
	Name *string `json:"name"`
	Tag  tag     `json:"tag"`
}

// tag is absent or a string, and never null.
type tag struct{ text *string }

func (t *tag) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("the tag is null")
	}
	return json.Unmarshal(data, &t.text)
}

// createdPlant is the response to a create.
type createdPlant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

// plant is what clients get.
type plant struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Tag       *string `json:"tag,omitempty"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

func parsePlant(body []byte) (newPlant, error) {
	var sent newPlant
	if json.Unmarshal(body, &sent) != nil || sent.ID == nil || sent.Name == nil || max(*sent.ID, -*sent.ID) > safeIntegerMax {
		return newPlant{}, errInvalidBody
	}
	if utf8.RuneCountInString(*sent.Name) > nameLengthMax {
		return newPlant{}, errInvalidBody
	}
	if sent.Tag.text != nil && utf8.RuneCountInString(*sent.Tag.text) > tagLengthMax {
		return newPlant{}, errInvalidBody
	}
	if sent.Tag.text != nil && *sent.Tag.text == "" {
		sent.Tag.text = nil
	}
	return sent, nil
}

func plantOf(record *core.Record) plant {
	found := plant{
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

func (p plant) tagOrEmpty() string {
	if p.Tag == nil {
		return ""
	}
	return *p.Tag
}

func (p plant) hasContentOf(sent newPlant) bool {
	tag := sent.Tag.text
	hasSameTag := p.Tag == nil && tag == nil || p.Tag != nil && tag != nil && *p.Tag == *tag
	return p.Name == *sent.Name && hasSameTag
}

// entityTag is a strong tag of a record's JSON.
func entityTag(json []byte) string {
	digest := sha256.Sum256(json)
	return `"` + base64.RawURLEncoding.EncodeToString(digest[:16]) + `"`
}
