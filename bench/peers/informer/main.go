// A client-go informer of pods, typed and by protobuf as Go operators use it, driven by the bench:
// it reads one command a line on standard input and answers each with one line of figures.
//
//	sync                start the informer; answers when the handler was told of every pod
//	watch <n> <mode>    have the server send n events; answers when the handler got the last
//	                    (mode count: the handler counts; mode read: it reads old and new)
//	follow <n>          answers when the handler got n more events than at the last answer of sync or follow
//	reads               time get by key and list by namespace
//	list                list everything
//	settle              wait until the memory in use does not fall any more
//	collect             the same, after a collection asked for
//	relist <n>          have n pods changed behind a gap; answers when the store has them
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type program struct {
	config   *rest.Config
	informer cache.SharedIndexInformer
	lister   listers.PodLister
	// reading says whether the handler reads; seen is the newest version it was told of.
	reading atomic.Bool
	events  atomic.Int64
	seen    atomic.Int64
	sum     int
	// followed is how many events were waited for so far; until is the number of the last of them, and
	// reached is told of it. Nobody polls: that would cost more CPU than the events.
	followed int64
	until    atomic.Int64
	reached  chan struct{}
}

func main() {
	server := flag.String("server", "", "URL of the run")
	ca := flag.String("ca", "", "file with the CA")
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of a real server, in place of both")
	flag.Parse()
	config := &rest.Config{Host: *server, TLSClientConfig: rest.TLSClientConfig{CAFile: *ca}}
	if *kubeconfig != "" {
		var err error
		config, err = clientcmd.BuildConfigFromFlags("", *kubeconfig)
		check(err)
	}
	config.QPS = -1
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	config.ContentType = "application/vnd.kubernetes.protobuf"
	p := &program{config: config, reached: make(chan struct{}, 1)}
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		out.Encode(p.answer(words[0], words[1:]))
	}
}

func (p *program) answer(command string, arguments []string) map[string]any {
	number := func(i int) int {
		n, err := strconv.Atoi(arguments[i])
		check(err)
		return n
	}
	switch command {
	case "sync":
		return measured(p.sync)
	case "watch":
		p.reading.Store(arguments[1] == "read")
		return measured(func() { p.watch(number(0)) })
	case "follow":
		return measured(func() {
			p.followed += int64(number(0))
			p.until.Store(p.followed)
			for p.events.Load() < p.followed {
				<-p.reached
			}
		})
	case "reads":
		return p.reads()
	case "list":
		return measured(func() {
			pods, err := p.lister.List(labels.Everything())
			check(err)
			p.sum += len(pods)
		})
	case "settle":
		settle()
		return measured(func() {})
	case "collect":
		debug.FreeOSMemory()
		settle()
		return measured(func() {})
	case "relist":
		resetPeak()
		return measured(func() { p.relist(number(0)) })
	}
	panic("unknown command " + command)
}

func (p *program) sync() {
	client, err := kubernetes.NewForConfig(p.config)
	check(err)
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	p.informer, p.lister = pods.Informer(), pods.Lister()
	registration, err := p.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { p.note(object.(*corev1.Pod)) },
		UpdateFunc: func(old, current any) {
			before, after := old.(*corev1.Pod), current.(*corev1.Pod)
			if p.reading.Load() {
				for _, pod := range [...]*corev1.Pod{before, after} {
					p.sum += len(pod.Name) + len(pod.Labels["pod-template-hash"]) + len(pod.Status.Phase)
				}
			}
			p.note(after)
		},
	})
	check(err)
	factory.Start(context.Background().Done())
	for !registration.HasSynced() {
		time.Sleep(5 * time.Millisecond)
	}
	p.followed = p.events.Load()
}

func (p *program) note(pod *corev1.Pod) {
	if p.events.Add(1) == p.until.Load() {
		p.reached <- struct{}{}
	}
	version, _ := strconv.ParseInt(pod.ResourceVersion, 10, 64)
	p.seen.Store(version)
}

func (p *program) watch(n int) {
	until := p.events.Load() + int64(n)
	p.tell(fmt.Sprintf("send?n=%d", n))
	for p.events.Load() < until {
		time.Sleep(time.Millisecond)
	}
}

func (p *program) relist(n int) {
	until := p.events.Load() + int64(n)
	p.tell(fmt.Sprintf("relist?n=%d", n))
	for p.events.Load() < until {
		time.Sleep(time.Millisecond)
	}
}

func (p *program) tell(what string) {
	transport, err := rest.HTTPClientFor(p.config)
	check(err)
	answer, err := transport.Post(p.config.Host+"/-/"+what, "", http.NoBody)
	check(err)
	answer.Body.Close()
}

const reads = 20_000

func (p *program) reads() map[string]any {
	keys := p.informer.GetIndexer().ListKeys()
	figures := map[string]any{"objects": len(keys)}
	started := cpuTime()
	for i := range reads {
		namespace, name, _ := cache.SplitMetaNamespaceKey(keys[i*7919%len(keys)])
		pod, err := p.lister.Pods(namespace).Get(name)
		check(err)
		p.sum += len(pod.Name)
	}
	figures["getUs"] = float64((cpuTime() - started).Microseconds()) / reads
	namespace, _, _ := cache.SplitMetaNamespaceKey(keys[0])
	const rounds = 200
	started = cpuTime()
	listed := 0
	for range rounds {
		pods, err := p.lister.Pods(namespace).List(labels.Everything())
		check(err)
		listed = len(pods)
	}
	figures["listUs"] = float64((cpuTime() - started).Microseconds()) / rounds
	figures["listed"] = listed
	return figures
}

func measured(work func()) map[string]any {
	started, cpu := time.Now(), cpuTime()
	work()
	figures := map[string]any{
		"wallMs": float64(time.Since(started).Microseconds()) / 1000,
		"cpuMs":  float64((cpuTime() - cpu).Microseconds()) / 1000,
	}
	figures["processCpuMs"] = float64(cpuTime().Microseconds()) / 1000
	figures["rssKb"], figures["peakKb"] = memory("VmRSS:"), memory("VmHWM:")
	return figures
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// settle waits until the memory has not fallen for three seconds, at most twenty.
func settle() {
	least := memory("VmRSS:")
	for quiet, waited := 0, 0; quiet < 6 && waited < 40; waited++ {
		time.Sleep(500 * time.Millisecond)
		now := memory("VmRSS:")
		if now < least*99/100 {
			least, quiet = now, 0
		} else {
			quiet++
		}
	}
}

func resetPeak() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) }

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
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}
