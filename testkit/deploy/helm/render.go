// Renders the chart as `helm template` does, with Go's own template engine and Helm's function library (sprig). What Helm adds
// to them is written out here: include, tpl, required, toYaml, toJson. Reads JSON: {"templates": {name: text}, "data": {...}}.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type input struct {
	Templates map[string]string      `json:"templates"`
	Data      map[string]interface{} `json:"data"`
}

func main() {
	rendered, err := render()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(rendered)
}

func render() (map[string]string, error) {
	var given input
	decoder := json.NewDecoder(os.Stdin)
	if err := decoder.Decode(&given); err != nil {
		return nil, err
	}
	chart := template.New("chart").Option("missingkey=zero")
	chart.Funcs(functions(chart))
	for name, text := range given.Templates {
		if _, err := chart.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	for name := range given.Templates {
		if strings.HasSuffix(name, ".tpl") {
			continue
		}
		var text strings.Builder
		if err := chart.ExecuteTemplate(&text, name, given.Data); err != nil {
			return nil, err
		}
		// Helm does the same: a missing value prints as nothing.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return rendered, nil
}

func functions(chart *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	// Helm takes these two away, so that a chart cannot read the environment.
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	return known
}
