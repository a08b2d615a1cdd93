// Package namespaced has the markers of a controller that is restricted to namespaces.
package namespaced

// +kubebuilder:rbac:groups=example.org,namespace=shop,resources=greetings,verbs=list;watch
// +kubebuilder:rbac:groups=example.org,namespace=stock,resources=greetings,verbs=list;watch
// +kubebuilder:rbac:groups=example.org,namespace=shop,resources=greetings/status,verbs=update
// +kubebuilder:rbac:groups=example.org,namespace=stock,resources=greetings/status,verbs=update
// +kubebuilder:rbac:groups=core,namespace=config,resources=configmaps,verbs=get
// +kubebuilder:rbac:groups=core,resources=namespaces,verbs=get
