package main

import (
	"errors"
	"os"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	problems "github.com/pb33f/libopenapi-validator/errors"
)

type tool struct{ validator validator.Validator }

func load(file string) (tool, error) {
	text, err := os.ReadFile(file)
	check(err)
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		return tool{}, err
	}
	validator, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		return tool{}, errors.Join(errs...)
	}
	return tool{validator}, first(validator.ValidateDocument())
}

func first(isValid bool, all []*problems.ValidationError) error {
	if isValid || len(all) == 0 {
		return nil
	}
	for _, cause := range all[0].SchemaValidationErrors {
		return errors.New(all[0].Message + ": " + cause.Reason)
	}
	return errors.New(all[0].Message + ": " + all[0].Reason)
}

func judge(tool tool, q question) error {
	if q.Side == "request" {
		return first(tool.validator.ValidateHttpRequest(q.request()))
	}
	return first(tool.validator.ValidateHttpResponse(q.request(), q.response()))
}

// The model is that of libopenapi.
func lookUp(tool, string) any { return nil }
