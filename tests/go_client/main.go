// Command go_client drives an API server with client-go as Go operators do: a shared informer through
// changes, updates that conflict, server-side apply, and two candidates for one lease. It prints a line
// for each thing that held, and fails at the first that did not.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/retry"
)

func main() {
	namespace := os.Args[1]
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check(err)
	config.QPS = -1
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()

	informer(ctx, client, namespace)
	conflicts(ctx, client, namespace)
	apply(ctx, client, namespace)
	elect(ctx, client, namespace)
}

// informer follows creations, changes and deletions, and ends with a cache that equals a list.
func informer(ctx context.Context, client kubernetes.Interface, namespace string) {
	api := client.CoreV1().ConfigMaps(namespace)
	for i := range 50 {
		_, err := api.Create(ctx, configMap(fmt.Sprintf("before-%d", i)), metav1.CreateOptions{})
		check(err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	maps := factory.Core().V1().ConfigMaps()
	var mutex sync.Mutex
	counts := map[string]int{}
	count := func(what string) {
		mutex.Lock()
		defer mutex.Unlock()
		counts[what]++
	}
	_, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { count("added") },
		UpdateFunc: func(any, any) { count("updated") },
		DeleteFunc: func(any) { count("deleted") },
	})
	check(err)
	stop, end := context.WithCancel(ctx)
	defer end()
	factory.Start(stop.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		must(synced, "%v did not sync", kind)
	}
	for i := range 50 {
		name := fmt.Sprintf("after-%d", i)
		created, err := api.Create(ctx, configMap(name), metav1.CreateOptions{})
		check(err)
		created.Data["x"] = "2"
		_, err = api.Update(ctx, created, metav1.UpdateOptions{})
		check(err)
		if i%2 == 0 {
			check(api.Delete(ctx, name, metav1.DeleteOptions{}))
		}
	}
	eventually(ctx, func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		return counts["added"] >= 100 && counts["updated"] >= 50 && counts["deleted"] >= 25
	})
	listed, err := api.List(ctx, metav1.ListOptions{})
	check(err)
	cached, err := maps.Lister().List(labels.Everything())
	check(err)
	must(names(pointers(listed.Items)) == names(cached), "the cache is not what a list gives")
	fmt.Printf("informer: %d added, %d updated, %d deleted, cache equals list of %d\n",
		counts["added"], counts["updated"], counts["deleted"], len(cached))
}

// conflicts counts one object up from many goroutines.
func conflicts(ctx context.Context, client kubernetes.Interface, namespace string) {
	api := client.CoreV1().ConfigMaps(namespace)
	_, err := api.Create(ctx, configMap("counter"), metav1.CreateOptions{})
	check(err)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			check(retry.OnError(wait.Backoff{Steps: 100, Duration: time.Millisecond, Factor: 1.1, Jitter: 1},
				apierrors.IsConflict, func() error {
					current, err := api.Get(ctx, "counter", metav1.GetOptions{})
					if err != nil {
						return err
					}
					current.Data[fmt.Sprintf("by-%d", i)] = "1"
					_, err = api.Update(ctx, current, metav1.UpdateOptions{})
					return err
				}))
		})
	}
	group.Wait()
	final, err := api.Get(ctx, "counter", metav1.GetOptions{})
	check(err)
	must(len(final.Data) == 9, "an update was lost: %v", final.Data)
	fmt.Println("conflicts: 8 of 8 updates kept")
}

// apply owns what it applies, and conflicts with others.
func apply(ctx context.Context, client kubernetes.Interface, namespace string) {
	api := client.CoreV1().ConfigMaps(namespace)
	wanted := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"})
	_, err := api.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "one"})
	check(err)
	other := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "2"})
	_, err = api.Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two"})
	must(apierrors.IsConflict(err), "no conflict: %v", err)
	forced, err := api.Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two", Force: true})
	check(err)
	extracted, err := applycorev1.ExtractConfigMap(forced, "two")
	check(err)
	must(extracted.Data["a"] == "2", "the manager does not own what it applied: %v", extracted.Data)
	fmt.Println("apply: conflict told, field taken by force")
}

// elect lets a second candidate lead when the first gives up.
func elect(ctx context.Context, client kubernetes.Interface, namespace string) {
	leads := make(chan string)
	candidate := func(ctx context.Context, identity string) {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: namespace},
				Client:     client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
			},
			ReleaseOnCancel: true,
			LeaseDuration:   30 * time.Second,
			RenewDeadline:   20 * time.Second,
			RetryPeriod:     200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leads <- identity },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, end := context.WithCancel(ctx)
	go candidate(first, "one")
	must(<-leads == "one", "the only candidate does not lead")
	go candidate(ctx, "two")
	end()
	must(<-leads == "two", "the second candidate does not lead after the first")
	lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	check(err)
	must(*lease.Spec.HolderIdentity == "two", "the lease names %s", *lease.Spec.HolderIdentity)
	fmt.Println("leader election: one, then two")
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"x": "1"}}
}

func pointers(items []corev1.ConfigMap) []*corev1.ConfigMap {
	var all []*corev1.ConfigMap
	for i := range items {
		all = append(all, &items[i])
	}
	return all
}

func names(items []*corev1.ConfigMap) string {
	var all []string
	for _, item := range items {
		all = append(all, item.Name+"@"+item.ResourceVersion)
	}
	sort.Strings(all)
	return strings.Join(all, " ")
}

func eventually(ctx context.Context, holds func() bool) {
	check(wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true,
		func(context.Context) (bool, error) { return holds(), nil }))
}

func check(err error) { must(err == nil, "%v", err) }

func must(holds bool, format string, args ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
		os.Exit(1)
	}
}
