package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// call calls the method of the client: `SetPlant(ctx, &plant, SetPlantParams{ID: id})`. A body comes before the parameters.
func call(question Question) *Answer {
	made, err := newClient(question.BaseURL)
	check(err)
	method, found := methodNamed(reflect.ValueOf(made), question.OperationID)
	if !found {
		return nil
	}
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for len(given) < method.Type().NumIn() {
		kind := method.Type().In(len(given))
		if kind.Kind() == reflect.Struct && isNamed(kind.Name(), question.OperationID+"Params") {
			given = append(given, parameters(kind, question))
		} else {
			given = append(given, body(kind, question))
		}
	}
	answers := results(method.Call(given))
	if len(answers) < 2 {
		return &Answer{Value: "null"}
	}
	return &Answer{Value: textOf(answers[0])}
}

// body is of the type that the media type has, where the operation has several.
func body(kind reflect.Type, question Question) reflect.Value {
	if make, found := types[question.BodyType]; found && kind.Kind() == reflect.Interface {
		target := make()
		checkTool(json.Unmarshal(question.Body, target))
		return reflect.ValueOf(target)
	}
	if target := reflect.New(kind); setReader(target.Elem(), question.Body) {
		return target.Elem()
	}
	return read(kind, question.Body)
}

// setReader tells whether the body is bytes, as a text is.
func setReader(target reflect.Value, body json.RawMessage) bool {
	if target.Kind() != reflect.Struct {
		return false
	}
	field := target.FieldByName("Data")
	if !field.IsValid() || field.Type() != reader {
		return false
	}
	var text string
	check(json.Unmarshal(body, &text))
	field.Set(reflect.ValueOf(bytes.NewReader([]byte(text))))
	return true
}

var reader = reflect.TypeFor[io.Reader]()

func textOf(value reflect.Value) string {
	target := value
	for target.Kind() == reflect.Pointer || target.Kind() == reflect.Interface {
		target = target.Elem()
	}
	if target.Kind() == reflect.Struct {
		if field := target.FieldByName("Data"); field.IsValid() && field.Type() == reader && !field.IsNil() {
			text, err := io.ReadAll(field.Interface().(io.Reader))
			checkTool(err)
			return exact(reflect.ValueOf(string(text)))
		}
		// A response with headers has its body in a member.
		if field := target.FieldByName("Response"); field.IsValid() && strings.HasSuffix(target.Type().Name(), "Headers") {
			return textOf(field)
		}
	}
	return exact(value)
}

// parameters are fields, of which those that may be omitted are a struct with `Value` and `Set`.
func parameters(kind reflect.Type, question Question) reflect.Value {
	target := reflect.New(kind).Elem()
	for _, group := range []map[string]json.RawMessage{question.Path, question.Query, question.Header} {
		for name, text := range group {
			for i := range kind.NumField() {
				if isNamed(kind.Field(i).Name, name) {
					setField(target.Field(i), text)
				}
			}
		}
	}
	return target
}

func setField(field reflect.Value, text json.RawMessage) {
	if isSet := optional(field); isSet.IsValid() {
		isSet.SetBool(true)
		field = field.FieldByName("Value")
	}
	field.Set(read(field.Type(), text))
}

func optional(field reflect.Value) reflect.Value {
	if field.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return field.FieldByName("Set")
}
