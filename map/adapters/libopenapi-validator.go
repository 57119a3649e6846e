package main

import (
	"errors"
	"os"
	"strings"

	"github.com/dlclark/regexp2/v2"
	"github.com/pb33f/jsonschema/v6"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	problems "github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi/datamodel"
)

// Patterns of JSON Schema are regular expressions of ECMAScript, which are not those of Go. Its own command has the same option.
type pattern struct{ *regexp2.Regexp }

func (p pattern) MatchString(text string) bool {
	isMatch, err := p.Regexp.MatchString(text)
	return err == nil && isMatch
}

func compile(text string) (jsonschema.Regexp, error) {
	compiled, err := regexp2.Compile(text, regexp2.ECMAScript)
	return pattern{compiled}, err
}

type tool struct{ validator validator.Validator }

func load(file string) (tool, error) {
	text, err := os.ReadFile(file)
	check(err)
	configuration := datamodel.NewDocumentConfiguration()
	configuration.AllowFileReferences = true
	configuration.BasePath = "."
	document, err := libopenapi.NewDocumentWithConfiguration(text, configuration)
	if err != nil {
		return tool{}, err
	}
	validator, errs := validator.NewValidator(document, config.WithRegexEngine(compile), config.WithStrictServerMatching())
	if len(errs) > 0 {
		return tool{}, errors.Join(errs...)
	}
	return tool{validator}, first(validator.ValidateDocument())
}

func first(isValid bool, all []*problems.ValidationError) error {
	if isValid || len(all) == 0 {
		return nil
	}
	reasons := []string{all[0].Message}
	for _, cause := range all[0].SchemaValidationErrors {
		reasons = append(reasons, cause.Reason)
	}
	if len(reasons) == 1 {
		reasons = append(reasons, all[0].Reason)
	}
	return errors.New(strings.Join(reasons, ": "))
}

func judge(tool tool, q question) error {
	if q.Side == "request" {
		return first(tool.validator.ValidateHttpRequest(q.request()))
	}
	return first(tool.validator.ValidateHttpResponse(q.request(), q.response()))
}

// The model is that of libopenapi.
func lookUp(tool, string) any { return nil }
