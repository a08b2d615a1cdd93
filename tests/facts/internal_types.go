// Prints structs that kube-apiserver works on inside as JSON, each field with its name there, its name
// in the API and its kind: some of its messages show such values, by their inner names.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/policy"
)

var types = map[string][][3]string{}

func main() {
	for _, pair := range [][2]any{
		{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
		{core.PersistentVolumeSource{}, corev1.PersistentVolumeSource{}},
		{core.PersistentVolumeClaimSpec{}, corev1.PersistentVolumeClaimSpec{}},
		{core.PersistentVolumeClaimStatus{}, corev1.PersistentVolumeClaimStatus{}},
		{apps.DeploymentStrategy{}, appsv1.DeploymentStrategy{}},
		{apps.DaemonSetUpdateStrategy{}, appsv1.DaemonSetUpdateStrategy{}},
		{apps.StatefulSetUpdateStrategy{}, appsv1.StatefulSetUpdateStrategy{}},
		{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
		{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
		{batch.UncountedTerminatedPods{}, batchv1.UncountedTerminatedPods{}},
		{policy.PodDisruptionBudgetSpec{}, policyv1.PodDisruptionBudgetSpec{}},
	} {
		kindOf(reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]))
	}
	if err := json.NewEncoder(os.Stdout).Encode(types); err != nil {
		panic(err)
	}
}

// kindOf says how a value is written: s(tring), b(oolean), i(nteger or its like), q(uantity), x (as in the API),
// m(ap), p(ointer to), l(ist of), or the name of a struct, which it adds to the types.
func kindOf(inner, outer reflect.Type) string {
	for outer != nil && outer.Kind() == reflect.Pointer {
		outer = outer.Elem()
	}
	if inner == reflect.TypeOf(resource.Quantity{}) {
		return "q"
	}
	if inner == reflect.TypeOf(intstr.IntOrString{}) {
		return "i"
	}
	switch inner.Kind() {
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "i"
	case reflect.Map:
		return "m"
	case reflect.Pointer:
		return "p" + kindOf(inner.Elem(), outer)
	case reflect.Slice:
		if outer != nil && outer.Kind() == reflect.Slice {
			return "l" + kindOf(inner.Elem(), outer.Elem())
		}
		return "l" + kindOf(inner.Elem(), nil)
	case reflect.Struct:
		if !strings.HasPrefix(inner.PkgPath(), "k8s.io/kubernetes/") {
			return "x"
		}
		if _, known := types[inner.Name()]; !known {
			types[inner.Name()] = nil
			types[inner.Name()] = fieldsOf(inner, outer)
		}
		return inner.Name()
	}
	return "x"
}

func fieldsOf(inner, outer reflect.Type) [][3]string {
	fields := [][3]string{}
	for i := 0; i < inner.NumField(); i++ {
		field := inner.Field(i)
		if field.Name == "ObjectMeta" {
			fields = append(fields, [3]string{"", "metadata", "x"})
			continue
		}
		if field.Anonymous {
			fields = append(fields, fieldsOf(field.Type, outer)...)
			continue
		}
		name := ""
		var type_ reflect.Type
		if outer != nil && outer.Kind() == reflect.Struct {
			if match, ok := outer.FieldByName(field.Name); ok {
				name = strings.Split(match.Tag.Get("json"), ",")[0]
				type_ = match.Type
			}
		}
		fields = append(fields, [3]string{field.Name, name, kindOf(field.Type, type_)})
	}
	return fields
}
