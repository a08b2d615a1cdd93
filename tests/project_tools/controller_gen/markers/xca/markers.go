// Package xca has the markers of the controllers of Xca and Xtls.
package xca

// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xcas,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xcas/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xcas/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xtls,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xtls/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.xca.k8s.kb.cx,resources=xtls/finalizers,verbs=update
