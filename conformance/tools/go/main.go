// Prints how kin-openapi reads the document in the file that the first argument names, as JSON. The other arguments
// are bodies that are sent to `POST /`, if the document has that operation.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
)

type report struct {
	// Why the document is invalid. Empty if it is valid.
	Invalid string `json:"invalid"`
	// The descriptions of the parameters of each GET, by path.
	Descriptions map[string][]string `json:"descriptions"`
	// Whether each body is accepted.
	Accepted []bool `json:"accepted"`
}

func main() {
	loader := openapi3.NewLoader()
	document, err := loader.LoadFromFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	result := report{Descriptions: map[string][]string{}, Accepted: []bool{}}
	if err := document.Validate(loader.Context); err != nil {
		result.Invalid = err.Error()
	}
	for path, item := range document.Paths.Map() {
		if item.Get == nil {
			continue
		}
		for _, parameter := range item.Get.Parameters {
			result.Descriptions[path] = append(result.Descriptions[path], parameter.Value.Description)
		}
	}
	for _, body := range os.Args[2:] {
		result.Accepted = append(result.Accepted, accepts(document, body))
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

func accepts(document *openapi3.T, body string) bool {
	router, err := legacy.NewRouter(document)
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "/", bytes.NewBufferString(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	route, parameters, err := router.FindRoute(request)
	if err != nil {
		log.Fatal(err)
	}
	input := openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route}
	return openapi3filter.ValidateRequest(context.Background(), &input) == nil
}
