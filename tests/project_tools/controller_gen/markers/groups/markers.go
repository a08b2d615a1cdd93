// Package groups has the markers of a controller that uses resources of several groups.
package groups

// +kubebuilder:rbac:groups=example.org,resources=greetings,verbs=watch;list
// +kubebuilder:rbac:groups=example.org,resources=greetings/finalizers,verbs=update
// +kubebuilder:rbac:groups=example.org,resources=greetings/status,verbs=patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;get;patch
// +kubebuilder:rbac:groups=apps,resources=deployments/scale,verbs=get;update
// +kubebuilder:rbac:groups=core,resources=secrets;configmaps,verbs=get
// +kubebuilder:rbac:groups=core,resources=secrets,verbs=get;create;update
// +kubebuilder:rbac:groups=core,resources=nodes,verbs=list;watch
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
