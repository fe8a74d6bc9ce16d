// Renders a Helm chart as `helm template` does: Go's own text/template with the functions of sprig, both from Debian's
// packages, and the few that Helm adds. Prints one JSON object of file name → text.
//
//	render <chart folder> <release name> [values.yaml]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type object = map[string]interface{}

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: render <chart> <release> [values.yaml]"))
	}
	chart, release := os.Args[1], os.Args[2]
	values := read(filepath.Join(chart, "values.yaml"))
	if len(os.Args) > 3 {
		merge(values, read(os.Args[3]))
	}
	described := read(filepath.Join(chart, "Chart.yaml"))
	about := object{
		"Name": described["name"], "Version": described["version"], "AppVersion": described["appVersion"],
	}
	data := object{
		"Values":  values,
		"Chart":   about,
		"Release": object{"Name": release, "Namespace": "voice", "Service": "Helm", "IsInstall": true, "Revision": 1},
	}
	// As in Helm: what is not there is empty, and a template may include another.
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	fail(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fail(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		fail(err)
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		fail(all.ExecuteTemplate(&out, name, data))
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	fail(json.NewEncoder(os.Stdout).Encode(rendered))
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	// Helm takes these away: a chart must not see the machine that renders it.
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	known["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	return known
}

func read(path string) object {
	text, err := os.ReadFile(path)
	fail(err)
	values := object{}
	fail(yaml.Unmarshal(text, &values))
	return values
}

// merge writes what is given over the defaults; null removes.
func merge(into, given object) {
	for name, value := range given {
		inner, isObject := value.(object)
		existing, hasObject := into[name].(object)
		switch {
		case value == nil:
			delete(into, name)
		case isObject && hasObject:
			merge(existing, inner)
		default:
			into[name] = value
		}
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
