// Prints the Go structs behind the API of kube-apiserver as JSON: the types of the group versions
// named by the arguments and all that they are made of. What JSON decoding does (names of types in its
// messages, what is left out when empty, what is a pointer) stands in them and nowhere else.
package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type field struct {
	Name          string `json:"name"`
	Type          string `json:"type"`
	OmitEmpty     bool   `json:"omitEmpty,omitempty"`
	OmitZero      bool   `json:"omitZero,omitempty"`
	Embedded      string `json:"embedded,omitempty"`
	PatchStrategy string `json:"patchStrategy,omitempty"`
	PatchMergeKey string `json:"patchMergeKey,omitempty"`
}

type structure struct {
	Go     string  `json:"go"`
	Custom bool    `json:"custom,omitempty"`
	Fields []field `json:"fields,omitempty"`
}

var (
	structures  = map[string]structure{}
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	texter      = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func main() {
	scheme := runtime.NewScheme()
	must(clientgo.AddToScheme(scheme))
	must(apiextensions.AddToScheme(scheme))
	must(apiregistration.AddToScheme(scheme))
	kinds := map[string]string{}
	for _, arg := range os.Args[1:] {
		version, err := schema.ParseGroupVersion(arg)
		must(err)
		for kind, goType := range scheme.KnownTypes(version) {
			if goType.PkgPath() == reflect.TypeFor[runtime.Unknown]().PkgPath() {
				continue
			}
			kinds[arg+" "+kind] = visitStruct(goType)
		}
	}
	for _, goType := range []reflect.Type{
		reflect.TypeFor[meta.Status](), reflect.TypeFor[meta.Table](), reflect.TypeFor[meta.PartialObjectMetadata](),
		reflect.TypeFor[meta.PartialObjectMetadataList](),
	} {
		visitStruct(goType)
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"kinds": kinds, "structures": structures}))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The name of a struct in OpenAPI.
func modelName(t reflect.Type) string {
	if named, ok := reflect.Zero(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	parts := strings.Split(t.PkgPath(), "/")
	if strings.Contains(parts[0], ".") {
		host := strings.Split(parts[0], ".")
		for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
			host[i], host[j] = host[j], host[i]
		}
		parts[0] = strings.Join(host, ".")
	}
	return strings.Join(parts, ".") + "." + t.Name()
}

func visitStruct(t reflect.Type) string {
	name := modelName(t)
	if _, seen := structures[name]; seen {
		return name
	}
	structures[name] = structure{}
	pointer := reflect.PointerTo(t)
	custom := pointer.Implements(unmarshaler) || pointer.Implements(texter)
	made := structure{Go: t.String(), Custom: custom}
	if !custom {
		made.Fields = fieldsOf(t, "")
	}
	structures[name] = made
	return name
}

func fieldsOf(t reflect.Type, embedded string) []field {
	fields := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("json"), ",")
		if tag[0] == "-" || !f.IsExported() {
			continue
		}
		options := map[string]bool{}
		for _, option := range tag[1:] {
			options[option] = true
		}
		if f.Anonymous && tag[0] == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			fields = append(fields, fieldsOf(inner, strings.TrimPrefix(embedded+"."+f.Name, "."))...)
			continue
		}
		name := tag[0]
		if name == "" {
			name = f.Name
		}
		fields = append(fields, field{
			Name: name, Type: typeOf(f.Type), OmitEmpty: options["omitempty"], OmitZero: options["omitzero"], Embedded: embedded,
			PatchStrategy: f.Tag.Get("patchStrategy"), PatchMergeKey: f.Tag.Get("patchMergeKey"),
		})
	}
	return fields
}

// A type as an expression: *T, []T, {K}T, #struct, a basic type, or name=basic type.
func typeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeOf(t.Elem())
	case reflect.Slice:
		return named(t, "[]"+typeOf(t.Elem()))
	case reflect.Map:
		return named(t, "{"+typeOf(t.Key())+"}"+typeOf(t.Elem()))
	case reflect.Struct:
		return "#" + visitStruct(t)
	default:
		return named(t, t.Kind().String())
	}
}

func named(t reflect.Type, expression string) string {
	if t.Name() == "" || t.PkgPath() == "" {
		return expression
	}
	pointer := reflect.PointerTo(t)
	if pointer.Implements(unmarshaler) || pointer.Implements(texter) {
		fmt.Fprintln(os.Stderr, "decodes itself:", t)
	}
	return t.String() + "=" + expression
}

var _ = sort.Strings
