package main

import (
	"context"
	"encoding/json"
	"reflect"

	"map/client"
)

// call calls the method for the media type of the body: `SetTagWithResponse`, or `SetTagWithTextBodyWithResponse`.
func call(question Question) *Answer {
	made, err := client.NewClientWithResponses(question.BaseURL)
	check(err)
	value := reflect.ValueOf(made)
	method, found := methodNamed(value, question.OperationID+bodyNames[question.ContentType]+"WithResponse")
	for _, name := range bodyNames {
		if !found && question.Body != nil && question.ContentType == "" {
			method, found = methodNamed(value, question.OperationID+name+"WithResponse")
		}
	}
	if !found {
		return nil
	}
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, name := range question.PathNames {
		given = append(given, read(method.Type().In(len(given)), question.Path[name]))
	}
	// The other parameters, and then the body. The last argument is variadic.
	for len(given) < method.Type().NumIn()-1 {
		kind := method.Type().In(len(given))
		if kind.Kind() == reflect.Pointer && isNamed(kind.Elem().Name(), question.OperationID+"Params") {
			given = append(given, parameters(kind.Elem(), question))
		} else {
			given = append(given, read(kind, question.Body))
		}
	}
	response := results(method.Call(given))[0].Elem()
	for i := range response.NumField() {
		field := response.Field(i)
		if field.Kind() == reflect.Pointer && response.Type().Field(i).Name != "HTTPResponse" && !field.IsNil() {
			return &Answer{Value: exact(field)}
		}
	}
	// Where no type is generated for the media type, there are the bytes.
	if body := response.FieldByName("Body"); body.Len() > 0 {
		return &Answer{Value: exact(reflect.ValueOf(string(body.Bytes())))}
	}
	return &Answer{Value: "null"}
}

func parameters(kind reflect.Type, question Question) reflect.Value {
	target := reflect.New(kind)
	for _, group := range []map[string]json.RawMessage{question.Query, question.Header} {
		for name, text := range group {
			for i := range kind.NumField() {
				if isNamed(kind.Field(i).Name, name) {
					target.Elem().Field(i).Set(read(kind.Field(i).Type, text))
				}
			}
		}
	}
	return target
}

var bodyNames = map[string]string{
	"application/json":             "",
	"application/merge-patch+json": "WithApplicationMergePatchPlusJSONBody",
	"text/plain":                   "WithTextBody",
}
