// Package names has the markers of a controller that uses single objects.
package names

// +kubebuilder:rbac:groups=example.org,resources=greetings,verbs=list;watch
// +kubebuilder:rbac:groups=core,resources=secrets,resourceNames=token,verbs=get;list;watch
// +kubebuilder:rbac:groups=core,resources=configmaps,resourceNames=settings,verbs=get;patch
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=create
// +kubebuilder:rbac:groups=core,resources=pods/eviction,resourceNames=web,verbs=create
