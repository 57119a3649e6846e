// Asks a tool the questions in questions.json. Its file has load, judge and lookUp.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type question struct {
	Method          string            `json:"method"`
	Target          string            `json:"target"`
	Side            string            `json:"side"`
	Headers         map[string]string `json:"headers"`
	ResponseHeaders map[string]string `json:"responseHeaders"`
	Status          int               `json:"status"`
	ContentType     string            `json:"contentType"`
	Body            *string           `json:"body"`
	RequestBody     *string           `json:"requestBody"`
}

type answer struct {
	IsAccepted bool   `json:"isAccepted"`
	Line       string `json:"line,omitempty"`
	Refusal    string `json:"refusal,omitempty"`
}

// The request that is asked about, or the one before the response.
func (q question) request() *http.Request {
	body, contentType := q.Body, q.ContentType
	if q.Side == "response" {
		body, contentType = q.RequestBody, "application/json"
	}
	request, err := http.NewRequest(q.Method, "http://localhost"+q.Target, reader(body))
	check(err)
	for name, value := range q.Headers {
		request.Header.Set(name, value)
	}
	if body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	return request
}

func (q question) response() *http.Response {
	header := http.Header{}
	header.Set("Content-Type", q.ContentType)
	for name, value := range q.ResponseHeaders {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: q.Status, Header: header, Body: io.NopCloser(reader(q.Body)), Request: q.request()}
}

func reader(text *string) io.Reader {
	if text == nil {
		return bytes.NewReader(nil)
	}
	return bytes.NewBufferString(*text)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// The message on one line: the cause is often below the first.
func words(err error) string {
	if err == nil {
		return ""
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func main() {
	text, err := os.ReadFile("questions.json")
	check(err)
	var answers any
	switch os.Args[1] {
	case "validate":
		answers = validate(text)
	case "lint":
		var files, problems []string
		check(json.Unmarshal(text, &files))
		for _, file := range files {
			_, err := load(file)
			problems = append(problems, words(err))
		}
		answers = problems
	case "resolve":
		var pointers []string
		check(json.Unmarshal(text, &pointers))
		values := make([]any, len(pointers))
		tool, err := load("openapi.json")
		if err == nil {
			for index, pointer := range pointers {
				values[index] = lookUp(tool, pointer)
			}
		}
		answers = map[string]any{"values": values, "refusal": words(err)}
	}
	encoded, err := json.Marshal(answers)
	check(err)
	fmt.Println("answers " + string(encoded))
}

func validate(text []byte) []*answer {
	var questions []question
	check(json.Unmarshal(text, &questions))
	answers := make([]*answer, len(questions))
	tool, err := load("openapi.json")
	for index, q := range questions {
		if err != nil {
			answers[index] = &answer{Refusal: words(err)}
		} else if strings.HasPrefix(q.Target, "/") {
			why := judge(tool, q)
			answers[index] = &answer{IsAccepted: why == nil, Line: words(why)}
		}
	}
	return answers
}
