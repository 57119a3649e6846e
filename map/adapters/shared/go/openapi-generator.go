package main

import (
	"context"
	"encoding/json"
	"reflect"

	"map/client"
)

// call makes the request of an operation by its methods: `api.SetPlant(ctx, id).Plant(plant).Execute()`.
func call(question Question) *Answer {
	configuration := client.NewConfiguration()
	if question.BaseURL != "" {
		configuration.Servers = client.ServerConfigurations{{URL: question.BaseURL}}
	}
	method, found := operation(reflect.ValueOf(client.NewAPIClient(configuration)).Elem(), question.OperationID)
	if !found {
		return nil
	}
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, name := range question.PathNames {
		given = append(given, read(method.Type().In(len(given)), question.Path[name]))
	}
	request := method.Call(given)[0]
	for _, group := range []map[string]json.RawMessage{question.Query, question.Header} {
		for name, text := range group {
			if setter, found := methodNamed(request, name); found {
				request = setter.Call([]reflect.Value{read(setter.Type().In(0), text)})[0]
			}
		}
	}
	if setter, found := bodySetter(request, question); found {
		request = setter.Call([]reflect.Value{read(setter.Type().In(0), question.Body)})[0]
	}
	answers := results(request.MethodByName("Execute").Call(nil))
	if len(answers) < 3 {
		return &Answer{Value: "null"}
	}
	return &Answer{Value: exact(answers[0])}
}

func operation(apis reflect.Value, name string) (method reflect.Value, found bool) {
	for i := range apis.NumField() {
		if !found && apis.Type().Field(i).IsExported() {
			method, found = methodNamed(apis.Field(i), name)
		}
	}
	return method, found
}

// bodySetter is the setter that has the name of no parameter.
func bodySetter(request reflect.Value, question Question) (reflect.Value, bool) {
	for i := range request.NumMethod() {
		name, isParameter := request.Type().Method(i).Name, false
		for _, group := range []map[string]json.RawMessage{question.Query, question.Header} {
			for parameter := range group {
				isParameter = isParameter || isNamed(name, parameter)
			}
		}
		if question.Body != nil && name != "Execute" && !isParameter {
			return request.Method(i), true
		}
	}
	return reflect.Value{}, false
}
