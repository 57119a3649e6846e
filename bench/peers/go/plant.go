package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

const (
	nameLengthMax = 500
	tagLengthMax  = 100
)

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

// record is a plant as the database has it.
type record struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Tag       *string `json:"tag,omitempty"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

func parsePlant(body []byte) (newPlant, error) {
	var plant newPlant
	if json.Unmarshal(body, &plant) != nil || plant.ID == nil || plant.Name == nil {
		return newPlant{}, errInvalidBody
	}
	if utf8.RuneCountInString(*plant.Name) > nameLengthMax {
		return newPlant{}, errInvalidBody
	}
	if plant.Tag.text != nil && utf8.RuneCountInString(*plant.Tag.text) > tagLengthMax {
		return newPlant{}, errInvalidBody
	}
	return plant, nil
}

func (r record) hasContentOf(plant newPlant) bool {
	tag := plant.Tag.text
	hasSameTag := r.Tag == nil && tag == nil || r.Tag != nil && tag != nil && *r.Tag == *tag
	return r.Name == *plant.Name && hasSameTag
}

// entityTag is a strong tag of a record's JSON.
func entityTag(json []byte) string {
	digest := sha256.Sum256(json)
	return `"` + base64.RawURLEncoding.EncodeToString(digest[:16]) + `"`
}
