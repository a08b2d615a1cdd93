// Package envtest names the suites that run.ts runs, so that go.mod has what they need.
package envtest

import (
	_ "sigs.k8s.io/controller-runtime"
	_ "sigs.k8s.io/controller-runtime/pkg/envtest"
	_ "sigs.k8s.io/controller-runtime/pkg/webhook"
)
