// Package scaffold has the markers of the rules that an election and a metrics server need.
package scaffold

// +kubebuilder:rbac:groups=example.org,resources=greetings,verbs=list;watch
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=greeter-system,resources=leases,verbs=create
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=greeter-system,resources=leases,resourceNames=greeter,verbs=get;update
// +kubebuilder:rbac:groups=coordination.k8s.io,namespace=greeter-system,resources=leasecandidates,verbs=get;create;update;delete
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create
// +kubebuilder:rbac:urls=/metrics,verbs=get
