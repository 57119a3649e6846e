package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"plant-store-peers/common"
)

func (s *server) createPlant(writer http.ResponseWriter, request *http.Request) error {
	plant, err := common.ReadPlant(writer, request)
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
	writer.Header().Set("ETag", common.EntityTag(representation))
	return writeJSON(writer, common.CreatedPlant{Name: created.Name, Tag: created.Tag})
}

func (s *server) getPlant(writer http.ResponseWriter, request *http.Request) error {
	id, err := strconv.ParseInt(request.PathValue("id"), 10, 64)
	if err != nil {
		return common.ErrInvalidID
	}
	found, err := s.store.plant(request.Context(), id)
	if err != nil {
		return err
	}
	representation, err := json.Marshal(found)
	if err != nil {
		return err
	}
	tag := common.EntityTag(representation)
	writer.Header().Set("ETag", tag)
	if common.Matches(request.Header.Get("If-None-Match"), tag) {
		writer.WriteHeader(http.StatusNotModified)
		return nil
	}
	writeBody(writer, representation)
	return nil
}

func (s *server) listPlants(writer http.ResponseWriter, request *http.Request) error {
	limit, first, err := common.ParsePage(request)
	if err != nil {
		return err
	}
	// One more shows whether there is a next page.
	plants, err := s.store.page(request.Context(), first, limit+1)
	if err != nil {
		return err
	}
	if len(plants) > limit {
		writer.Header().Set("Link", common.NextLink(limit, plants[limit].ID))
		plants = plants[:limit]
	}
	return writeJSON(writer, plants)
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
	// It fails only if the client has disconnected, and then no response is needed.
	writer.Write(body)
}
