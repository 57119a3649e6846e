// Drives generated Go code by reflection.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// Question is a call of an operation, or a JSON text for a type.
type Question struct {
	OperationID string                     `json:"operationId"`
	BaseURL     string                     `json:"baseUrl"`
	ContentType string                     `json:"contentType"`
	Path        map[string]json.RawMessage `json:"path"`
	Query       map[string]json.RawMessage `json:"query"`
	Header      map[string]json.RawMessage `json:"header"`
	Body        json.RawMessage            `json:"body"`
	// PathNames are in the order of the template of the path.
	PathNames []string `json:"pathNames"`
	Type      string   `json:"type"`
	// BodyType is the name of the type of the body, where a driver needs it.
	BodyType string `json:"bodyType"`
}

// Answer is empty if the code has no such operation or type.
type Answer struct {
	Value      string `json:"value,omitempty"`
	Error      string `json:"error,omitempty"`
	IsAccepted *bool  `json:"isAccepted,omitempty"`
	Line       string `json:"line,omitempty"`
}

func main() {
	text, err := os.ReadFile("questions.json")
	check(err)
	var questions []Question
	check(json.Unmarshal(text, &questions))
	for _, question := range questions {
		answer, err := json.Marshal(answerTo(question))
		check(err)
		fmt.Println("answer " + string(answer))
	}
}

// toolError is an error that the generated code returned. Any other one is of the driver, and ends the program.
type toolError struct{ error }

// refused calls the function with the error of the generated code, if it has one.
func refused(then func(toolError)) {
	switch problem := recover().(type) {
	case nil:
	case toolError:
		then(problem)
	default:
		panic(problem)
	}
}

func answerTo(question Question) (answer *Answer) {
	defer refused(func(err toolError) { answer = &Answer{Error: err.Error()} })
	if question.Type != "" {
		return judge(question)
	}
	return call(question)
}

// judge tells whether the type holds exactly the value: it reads the text, and writes the same.
func judge(question Question) (answer *Answer) {
	defer refused(func(err toolError) {
		isAccepted := false
		answer = &Answer{IsAccepted: &isAccepted, Line: err.Error()}
	})
	make, found := types[question.Type]
	if !found {
		return nil
	}
	target := make()
	checkTool(json.Unmarshal(question.Body, target))
	value := reflect.ValueOf(target)
	checkTool(validate(value))
	written := exact(value)
	isAccepted := same(written, question.Body)
	// The branch of a union that its discriminator names has no member that the value does not have.
	if method := value.MethodByName("ValueByDiscriminator"); method.IsValid() && isAccepted {
		branch := results(method.Call(nil))[0].Elem()
		checkTool(validate(branch))
		written = exact(branch)
		isAccepted = isPart(written, question.Body)
	}
	return &Answer{IsAccepted: &isAccepted, Line: written}
}

// validate calls the functions of the generated code that tell whether a value is one of its constants.
func validate(value reflect.Value) error {
	// That of a generated type also validates what is in it.
	if method := value.MethodByName("Validate"); method.IsValid() && method.Type().NumIn() == 0 {
		if err, isError := method.Call(nil)[0].Interface().(error); isError {
			return err
		}
	}
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		if value.IsNil() {
			return nil
		}
		value = value.Elem()
	}
	if method := value.MethodByName("Valid"); method.IsValid() && method.Type().NumIn() == 0 {
		if isValid := method.Call(nil)[0]; isValid.Kind() == reflect.Bool && !isValid.Bool() {
			return fmt.Errorf("%v.Valid() is false for %v", value.Type(), value)
		}
	}
	if value.Kind() == reflect.Struct {
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				if err := validate(value.Field(i)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// results are without the error, which panics.
func results(values []reflect.Value) []reflect.Value {
	last := values[len(values)-1]
	if err, isError := last.Interface().(error); isError && err != nil {
		panic(toolError{err})
	}
	return values
}

// read makes a value of a type from JSON.
func read(kind reflect.Type, text json.RawMessage) reflect.Value {
	target := reflect.New(kind)
	checkTool(json.Unmarshal(text, target.Interface()))
	return target.Elem()
}

// isNamed tells whether a field or a method has the name, in whatever way it is written.
func isNamed(name, wanted string) bool {
	plain := func(text string) string {
		return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(text))
	}
	return plain(name) == plain(wanted)
}

func methodNamed(value reflect.Value, name string) (reflect.Value, bool) {
	for i := range value.NumMethod() {
		if isNamed(value.Type().Method(i).Name, name) {
			return value.Method(i), true
		}
	}
	return reflect.Value{}, false
}

func same(written string, text json.RawMessage) bool {
	return reflect.DeepEqual(parsed([]byte(written)), parsed(text))
}

func isPart(written string, text json.RawMessage) bool {
	part, _ := parsed([]byte(written)).(map[string]any)
	whole, _ := parsed(text).(map[string]any)
	for name, value := range part {
		if !reflect.DeepEqual(value, whole[name]) {
			return false
		}
	}
	return true
}

func parsed(text []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	check(decoder.Decode(&value))
	return value
}

func exact(value reflect.Value) string {
	text, err := json.Marshal(value.Interface())
	checkTool(err)
	return string(text)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// checkTool is for what the generated code does: it reads and writes values.
func checkTool(err error) {
	if err != nil {
		panic(toolError{err})
	}
}
