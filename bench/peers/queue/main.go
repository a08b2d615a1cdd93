// The work queues of client-go and controller-runtime: N keys added, added again, taken and done by
// one goroutine. A round runs at each line of standard input, and is answered by one
// line of figures: milliseconds of CPU and of wall clock.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

func main() {
	kind := flag.String("queue", "plain", "plain (client-go's, without metrics), metered (the same with),\n"+
		"priority (controller-runtime's, with metrics), or mixed (the same, where every key is added at\n"+
		"a low priority and every second one again at the default)")
	n := flag.Int("keys", 200_000, "how many keys")
	flag.Parse()
	keys := make([]string, *n)
	for i := range keys {
		keys[i] = fmt.Sprintf("default/object-%d", i)
	}
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		started, cpu := time.Now(), cpuTime()
		round(*kind, keys)
		out.Encode(map[string]float64{
			"wallMs": float64(time.Since(started).Nanoseconds()) / 1e6,
			"cpuMs":  float64((cpuTime() - cpu).Nanoseconds()) / 1e6,
		})
	}
}

func round(kind string, keys []string) {
	var queue workqueue.TypedInterface[string]
	switch kind {
	case "plain":
		queue = workqueue.NewTyped[string]()
	case "mixed":
		mixedRound(keys)
		return
	case "priority":
		queue = priorityqueue.New("bench", func(o *priorityqueue.Opts[string]) { o.MetricProvider = counting{} })
	case "metered":
		queue = workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{
			Name: "bench", MetricsProvider: counting{},
		})
	default:
		panic("unknown queue " + kind)
	}
	for range 2 {
		for _, key := range keys {
			queue.Add(key)
		}
	}
	drain(queue, len(keys))
}

// mixedRound adds keys as a controller does that starts: the first list at a low priority, then
// events that raise every second key.
func mixedRound(keys []string) {
	queue := priorityqueue.New("bench", func(o *priorityqueue.Opts[string]) { o.MetricProvider = counting{} })
	low := -100
	for _, key := range keys {
		queue.AddWithOpts(priorityqueue.AddOpts{Priority: &low}, key)
	}
	for i, key := range keys {
		if i%2 == 0 {
			queue.AddWithOpts(priorityqueue.AddOpts{}, key)
		} else {
			queue.AddWithOpts(priorityqueue.AddOpts{Priority: &low}, key)
		}
	}
	drain(queue, len(keys))
}

func drain(queue workqueue.TypedInterface[string], count int) {
	for range count {
		key, shutdown := queue.Get()
		if shutdown {
			panic("shut down")
		}
		queue.Done(key)
	}
	queue.ShutDown()
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// counting makes instruments as cheap as a registry's: each keeps a number.
type counting struct{}

type number struct{ value atomic.Int64 }

func (n *number) Inc()              { n.value.Add(1) }
func (n *number) Dec()              { n.value.Add(-1) }
func (n *number) Set(v float64)     { n.value.Store(int64(v)) }
func (n *number) Observe(v float64) { n.value.Add(int64(v)) }

func (counting) NewDepthMetric(string) workqueue.GaugeMetric       { return &number{} }
func (counting) NewAddsMetric(string) workqueue.CounterMetric      { return &number{} }
func (counting) NewLatencyMetric(string) workqueue.HistogramMetric { return &number{} }
func (counting) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return &number{}
}
func (counting) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &number{}
}
func (counting) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &number{}
}
func (counting) NewRetriesMetric(string) workqueue.CounterMetric { return &number{} }
