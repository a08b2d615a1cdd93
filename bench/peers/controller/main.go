// controller-runtime on a real API server, or its cache on the replay server, driven by the bench: it reads
// one command a line on standard input and answers each with one line of figures.
//
//	sync          start a cache of pods (typed, by protobuf); answers when its handler was told of all
//	follow <n>    answers when the handler was told of n more events than at the last answer of sync or follow
//	operate <n>   start a manager with the reconciler of Xca and n workers; answers when its cache has synced
//	settle        wait until the memory in use has not fallen for three seconds
//	rest          wait until the memory in use has not fallen for 45 seconds
//	figures       CPU so far and memory
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Xca is the reference operator's first kind.
type Xca struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Foo string `json:"foo,omitempty"`
	} `json:"spec,omitempty"`
	Status struct {
		Active         bool   `json:"active,omitempty"`
		LastUpdateTime string `json:"last_update_time"`
	} `json:"status,omitzero"`
}

// DeepCopyObject copies it.
func (x *Xca) DeepCopyObject() runtime.Object {
	copied := *x
	x.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

// XcaList is a list of them.
type XcaList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Xca `json:"items"`
}

// DeepCopyObject copies it.
func (l *XcaList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = make([]Xca, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Xca)
	}
	return &copied
}

type reconciler struct{ client.Client }

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var xca Xca
	if err := r.Get(ctx, request.NamespacedName, &xca); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if xca.Status.Active {
		return ctrl.Result{}, nil
	}
	xca.Status.Active = true
	xca.Status.LastUpdateTime = time.Now().UTC().Format(time.RFC3339)
	return ctrl.Result{}, r.Status().Update(ctx, &xca)
}

// events counts what the handler was told of; followed is how many of them were waited for so far, until
// is the number of the last of them, and reached is told of it.
var (
	events   atomic.Int64
	followed int64
	until    atomic.Int64
	reached  = make(chan struct{}, 1)
)

func note() {
	if events.Add(1) == until.Load() {
		reached <- struct{}{}
	}
}

func main() {
	kubeconfig := flag.Lookup("kubeconfig") // controller-runtime's own flag
	replay := flag.String("server", "", "URL of a run of the replay server, in place of a kubeconfig")
	ca := flag.String("ca", "", "file with the CA of the replay server")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	config := &rest.Config{Host: *replay, TLSClientConfig: rest.TLSClientConfig{CAFile: *ca}}
	if *replay == "" {
		var err error
		config, err = clientcmd.BuildConfigFromFlags("", kubeconfig.Value.String())
		check(err)
	}
	// No limit of the client's own: the default of controller-runtime's GetConfig, and as ours.
	config.QPS = -1
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		out.Encode(answer(config, *replay != "", words[0], words[1:]))
	}
}

func answer(config *rest.Config, isReplay bool, command string, arguments []string) map[string]any {
	started := time.Now()
	switch command {
	case "sync":
		sync(config, isReplay)
	case "follow":
		n, err := strconv.Atoi(arguments[0])
		check(err)
		followed += int64(n)
		until.Store(followed)
		for events.Load() < followed {
			<-reached
		}
	case "operate":
		workers, err := strconv.Atoi(arguments[0])
		check(err)
		operate(config, workers)
	case "settle":
		notFallingFor(6, 40)
	case "rest":
		notFallingFor(90, 600)
	case "figures":
	default:
		panic("unknown command " + command)
	}
	return map[string]any{
		"wallMs":       float64(time.Since(started).Microseconds()) / 1000,
		"processCpuMs": processCPUMs(),
		"rssKb":        memory("VmRSS:"),
		"peakKb":       memory("VmHWM:"),
	}
}

func sync(config *rest.Config, isReplay bool) {
	ctx := context.Background()
	options := cache.Options{}
	if isReplay {
		// The replay server has no discovery.
		mapper := meta.NewDefaultRESTMapper(nil)
		mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
		options.Mapper = mapper
	}
	pods, err := cache.New(config, options)
	check(err)
	go func() { check(pods.Start(ctx)) }()
	informer, err := pods.GetInformer(ctx, &corev1.Pod{})
	check(err)
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { note() },
		UpdateFunc: func(any, any) { note() },
	})
	check(err)
	for !registration.HasSynced() {
		time.Sleep(5 * time.Millisecond)
	}
	followed = events.Load()
}

func operate(config *rest.Config, workers int) {
	scheme := runtime.NewScheme()
	version := schema.GroupVersion{Group: "apps.xca.k8s.kb.cx", Version: "v1beta1"}
	scheme.AddKnownTypes(version, &Xca{}, &XcaList{})
	metav1.AddToGroupVersion(scheme, version)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: server.Options{BindAddress: "0"},
	})
	check(err)
	check(ctrl.NewControllerManagedBy(manager).For(&Xca{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconciler{manager.GetClient()}))
	go func() { check(manager.Start(context.Background())) }()
	<-manager.Elected()
	if !manager.GetCache().WaitForCacheSync(context.Background()) {
		panic("the cache did not sync")
	}
}

// notFallingFor waits until the memory has not fallen for a number of looks, two per second.
func notFallingFor(looks, atMost int) {
	least := memory("VmRSS:")
	for quiet, waited := 0, 0; quiet < looks && waited < atMost; waited++ {
		time.Sleep(500 * time.Millisecond)
		now := memory("VmRSS:")
		if now < least*99/100 {
			least, quiet = now, 0
		} else {
			quiet++
		}
	}
}

func processCPUMs() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func memory(field string) int {
	text, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field {
			n, err := strconv.Atoi(words[1])
			check(err)
			return n
		}
	}
	panic("no " + field)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "controller:", err)
		os.Exit(1)
	}
}
