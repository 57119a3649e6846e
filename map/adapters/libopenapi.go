package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi/datamodel"
	"go.yaml.in/yaml/v4"
)

type tool struct{ document any }

// The model of the document with its references resolved.
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
	model, err := document.BuildV3Model()
	if err != nil {
		return tool{}, err
	}
	rendered, err := model.Model.RenderInline()
	check(err)
	var resolved any
	check(yaml.Unmarshal(rendered, &resolved))
	return tool{resolved}, nil
}

// It reads documents, and validates no requests.
func judge(tool, question) error { return nil }

func lookUp(tool tool, pointer string) any {
	node := tool.document
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		node = childOf(tool, node, token)
	}
	return node
}

// A schema beside a reference is a part of `allOf`, and the branches of a discriminator stay references.
func childOf(tool tool, node any, token string) any {
	switch parent := node.(type) {
	case map[string]any:
		if value, isThere := parent[token]; isThere {
			return value
		}
		if reference, isReference := parent["$ref"].(string); isReference {
			return childOf(tool, lookUp(tool, strings.TrimPrefix(reference, "#")), token)
		}
		parts, _ := parent["allOf"].([]any)
		for _, part := range parts {
			if value := childOf(tool, part, token); value != nil {
				return value
			}
		}
	case []any:
		if index, err := strconv.Atoi(token); err == nil && index < len(parent) {
			return parent[index]
		}
	}
	return nil
}
