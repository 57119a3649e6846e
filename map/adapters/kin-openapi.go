package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/dlclark/regexp2/v2"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/go-openapi/jsonpointer"
)

// Patterns of JSON Schema are regular expressions of ECMAScript, which are not those of Go.
type pattern struct{ *regexp2.Regexp }

func (p pattern) MatchString(text string) bool {
	isMatch, err := p.Regexp.MatchString(text)
	return err == nil && isMatch
}

func compile(text string) (openapi3.RegexMatcher, error) {
	compiled, err := regexp2.Compile(text, regexp2.ECMAScript)
	return pattern{compiled}, err
}

type tool struct {
	document *openapi3.T
	router   routers.Router
}

func load(file string) (tool, error) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	// Files alone, and no other host.
	loader.ReadFromURIFunc = openapi3.ReadFromFile
	document, err := loader.LoadFromFile(file)
	if err != nil {
		return tool{}, err
	}
	if err := document.Validate(loader.Context, openapi3.SetRegexCompiler(compile)); err != nil {
		return tool{}, err
	}
	router, err := gorillamux.NewRouter(document)
	return tool{document, router}, err
}

// A program registers a decoder for each media type that the library does not know, as its README says.
func init() { openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder) }

func judge(tool tool, q question) error {
	request := q.request()
	route, parameters, err := tool.router.FindRoute(request)
	if err != nil {
		return err
	}
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, AuthenticationFunc: hasToken, RegexCompiler: compile,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route, Options: options}
	if q.Side == "request" {
		return openapi3filter.ValidateRequest(context.Background(), input)
	}
	response := q.response()
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Body: response.Body,
		Options: options,
	})
}

// Any token is right: only the service knows which are.
func hasToken(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	if input.RequestValidationInput.Request.Header.Get("Authorization") == "" {
		return input.NewError(errors.New("no token"))
	}
	return nil
}

// The place in the model, where references are followed one by one.
func lookUp(tool tool, text string) any {
	value := find(tool.document, text)
	if value == nil {
		return nil
	}
	encoded, err := json.Marshal(value)
	check(err)
	return json.RawMessage(encoded)
}

func find(document *openapi3.T, text string) any {
	pointer, err := jsonpointer.New(text)
	check(err)
	var node any = document
	for _, token := range pointer.DecodedTokens() {
		// The schema of a reference has what is beside the reference, and that of its target does not.
		switch parent := node.(type) {
		case *openapi3.MediaType:
			if token == "schema" && parent.Schema != nil {
				node = parent.Schema.Value
				continue
			}
		case openapi3.Schemas:
			if schema := parent[token]; schema != nil {
				node = schema.Value
				continue
			}
		case *openapi3.Schema:
			// The model has the names of its fields for these.
			token = strings.Replace(token, "exclusiveMinimum", "exclusiveMin", 1)
			token = strings.Replace(token, "exclusiveMaximum", "exclusiveMax", 1)
		}
		if node, _, err = jsonpointer.GetForToken(node, token); err != nil {
			return nil
		}
		if reference, isReference := node.(*openapi3.Ref); isReference {
			node = find(document, strings.TrimPrefix(reference.Ref, "#"))
		}
	}
	return node
}
