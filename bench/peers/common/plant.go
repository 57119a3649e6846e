package common

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// The lengths of the texts of a plant, in code points.
const (
	NameLengthMax = 500
	TagLengthMax  = 100
)

// A NewPlant is what a client creates. Other members are ignored. ReadPlant sets ID and Name.
type NewPlant struct {
	ID   *int64  `json:"id"`
	Name *string `json:"name"`
	Tag  Tag     `json:"tag"`
}

// A Tag is absent or a string, and never null.
type Tag struct{ Text *string }

func (t *Tag) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return errors.New("the tag is null")
	}
	return json.Unmarshal(data, &t.Text)
}

// A CreatedPlant is the response to a create.
type CreatedPlant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

// A Plant is what clients get.
type Plant struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Tag       *string `json:"tag,omitempty"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

// parsePlant fails with ErrInvalidBody.
func parsePlant(body []byte) (NewPlant, error) {
	var plant NewPlant
	if json.Unmarshal(body, &plant) != nil || plant.ID == nil || plant.Name == nil {
		return NewPlant{}, ErrInvalidBody
	}
	if utf8.RuneCountInString(*plant.Name) > NameLengthMax {
		return NewPlant{}, ErrInvalidBody
	}
	if plant.Tag.Text != nil && utf8.RuneCountInString(*plant.Tag.Text) > TagLengthMax {
		return NewPlant{}, ErrInvalidBody
	}
	return plant, nil
}

// HasContentOf compares all members except the id and the times.
func (p Plant) HasContentOf(plant NewPlant) bool {
	tag := plant.Tag.Text
	hasSameTag := p.Tag == nil && tag == nil || p.Tag != nil && tag != nil && *p.Tag == *tag
	return p.Name == *plant.Name && hasSameTag
}

// EntityTag is a strong tag of a plant's JSON.
func EntityTag(json []byte) string {
	digest := sha256.Sum256(json)
	return `"` + base64.RawURLEncoding.EncodeToString(digest[:16]) + `"`
}
