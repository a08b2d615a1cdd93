import type {
  ControllerCounter,
  ControllerGauge,
} from "../../controller/ports/controller_metrics.ts";
import type { HistogramSpec, MetricSpec } from "./metric_spec.ts";

/** The declaration of a metric that is read at each scrape. */
type CollectedSpec<Label extends string = never> = MetricSpec<Label> & {
  readonly type: "counter" | "gauge";
};

/**
 * The buckets of reconcile durations, in seconds (pkg/internal/controller/metrics, ReconcileTime).
 */
const RECONCILE_BUCKETS: readonly number[] = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5],
  ...[0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5],
  ...[5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** The buckets of a queue's durations, in seconds (pkg/metrics/workqueue.go, latency). */
const QUEUE_BUCKETS: readonly number[] = [
  1e-8,
  1e-7,
  1e-6,
  1e-5,
  1e-4,
  1e-3,
  1e-2,
  1e-1,
  1,
  10,
  100,
  1000,
];

/** The buckets of a client's durations, in seconds; those of its sizes, in bytes, follow. */
const REST_SECONDS: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const REST_BYTES: readonly number[] = [
  ...[64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216],
];

/** The buckets of the lag of the event loop, in seconds. */
const LAG_BUCKETS: readonly number[] = [
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
];

/**
 * The declarations of the counters of controllers, by their names in `ControllerMetrics.increment`.
 */
export const CONTROLLER_COUNTERS: Readonly<Record<ControllerCounter, MetricSpec>> = {
  controller_runtime_reconcile_total: {
    name: "controller_runtime_reconcile_total",
    help: "Total number of reconciliations per controller, by result.",
    labels: ["controller", "result"],
  },
  controller_runtime_reconcile_errors_total: {
    name: "controller_runtime_reconcile_errors_total",
    help: "Total number of reconciliation errors per controller.",
    labels: ["controller"],
  },
  controller_runtime_terminal_reconcile_errors_total: {
    name: "controller_runtime_terminal_reconcile_errors_total",
    help: "Total number of terminal reconciliation errors per controller.",
    labels: ["controller"],
  },
  controller_runtime_reconcile_timeouts_total: {
    name: "controller_runtime_reconcile_timeouts_total",
    help: "Total number of reconciliations that exceeded the time-out of the controller.",
    labels: ["controller"],
  },
  xca_reconcile_deferred_total: {
    name: "xca_reconcile_deferred_total",
    help:
      "Total number of reconciliations that waited until the cache showed the key's own last write.",
    labels: ["controller"],
  },
  xca_hot_loops_total: {
    name: "xca_hot_loops_total",
    help:
      "Total number of keys per controller that were found to reconcile without foreign changes.",
    labels: ["controller"],
  },
};

/** The declarations of the gauges of controllers, by their names in `ControllerMetrics.set`. */
export const CONTROLLER_GAUGES: Readonly<Record<ControllerGauge, MetricSpec>> = {
  controller_runtime_active_workers: {
    name: "controller_runtime_active_workers",
    help: "Number of workers that reconcile at present, per controller.",
    labels: ["controller"],
  },
  controller_runtime_max_concurrent_reconciles: {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Number of workers of the controller.",
    labels: ["controller"],
  },
  xca_stuck_reconciles: {
    name: "xca_stuck_reconciles",
    help: "Number of runs that ignore their aborted signal, per controller.",
    labels: ["controller"],
  },
};

/** The declaration of the histogram of reconcile durations. */
export const RECONCILE_TIME: HistogramSpec<"controller"> = {
  name: "controller_runtime_reconcile_time_seconds",
  help: "Length of time per reconciliation per controller, in seconds.",
  labels: ["controller"],
  buckets: RECONCILE_BUCKETS,
};

/** The declarations of the metrics of work queues (pkg/metrics/workqueue.go). */
export const QUEUE:
  & Readonly<
    Record<
      "adds" | "unfinished" | "longestRunning" | "retries",
      MetricSpec<"name" | "controller">
    >
  >
  & { readonly depth: MetricSpec<"name" | "controller" | "priority"> }
  & Readonly<Record<"latency" | "workDuration", HistogramSpec<"name" | "controller">>> = {
    depth: {
      name: "workqueue_depth",
      help: "Number of keys that wait for a worker, by priority.",
      labels: ["name", "controller", "priority"],
    },
    adds: {
      name: "workqueue_adds_total",
      help: "Total number of adds that were not merged with an earlier one.",
      labels: ["name", "controller"],
    },
    latency: {
      name: "workqueue_queue_duration_seconds",
      help: "Time that a key waits in the queue before a worker takes it, in seconds.",
      labels: ["name", "controller"],
      buckets: QUEUE_BUCKETS,
    },
    workDuration: {
      name: "workqueue_work_duration_seconds",
      help: "Time that a worker processes a key, in seconds.",
      labels: ["name", "controller"],
      buckets: QUEUE_BUCKETS,
    },
    unfinished: {
      name: "workqueue_unfinished_work_seconds",
      help: "Total time that the keys in work have been processed so far, in seconds.",
      labels: ["name", "controller"],
    },
    longestRunning: {
      name: "workqueue_longest_running_processor_seconds",
      help: "Time that the longest running worker has been processing its key, in seconds.",
      labels: ["name", "controller"],
    },
    retries: {
      name: "workqueue_retries_total",
      help: "Total number of adds with a delay.",
      labels: ["name", "controller"],
    },
  };

/**
 * The declarations of the metrics of a client
 * (k8s.io/component-base/metrics/prometheus/restclient).
 */
export const REST_CLIENT:
  & {
    readonly requests: MetricSpec<"code" | "method" | "host">;
    readonly retries: MetricSpec<"code" | "verb" | "host">;
  }
  & Readonly<
    Record<
      "duration" | "requestSize" | "responseSize" | "rateLimiter",
      HistogramSpec<"verb" | "host">
    >
  > = {
    requests: {
      name: "rest_client_requests_total",
      help:
        "Number of HTTP requests, by status code, method and host; the code of a request without answer is <error>.",
      labels: ["code", "method", "host"],
    },
    duration: {
      name: "rest_client_request_duration_seconds",
      help: "Time from a request to the headers of its answer, in seconds.",
      labels: ["verb", "host"],
      buckets: REST_SECONDS,
    },
    requestSize: {
      name: "rest_client_request_size_bytes",
      help: "Size of the body of a request, in bytes.",
      labels: ["verb", "host"],
      buckets: REST_BYTES,
    },
    responseSize: {
      name: "rest_client_response_size_bytes",
      help: "Size of the body of an answer that is read as a whole, in bytes.",
      labels: ["verb", "host"],
      buckets: REST_BYTES,
    },
    rateLimiter: {
      name: "rest_client_rate_limiter_duration_seconds",
      help: "Time that a request waits for the rate limit of the client, in seconds.",
      labels: ["verb", "host"],
      buckets: REST_SECONDS,
    },
    retries: {
      name: "rest_client_request_retries_total",
      help: "Number of requests that were sent again, by status code, verb and host.",
      labels: ["code", "verb", "host"],
    },
  };

/** The declarations of the metrics of leader election (pkg/metrics/leaderelection.go). */
export const ELECTION: Readonly<Record<"leading" | "slowPath", MetricSpec<"name">>> = {
  leading: {
    name: "leader_election_master_status",
    help: "Whether this process leads: 1 as the leader, 0 as a standby, by the name of the lease.",
    labels: ["name"],
  },
  slowPath: {
    name: "leader_election_slowpath_total",
    help: "Total number of renewals that had to read the lease first.",
    labels: ["name"],
  },
};

/**
 * The declarations of the metrics of the certificates of servers: `reads` and `errors` are
 * controller-runtime's (pkg/certwatcher/metrics), the others this library's own.
 */
export const CERTIFICATE:
  & Readonly<Record<"reads" | "errors", MetricSpec<never>>>
  & Readonly<Record<"rejected" | "expires", MetricSpec<"server">>> = {
    reads: {
      name: "certwatcher_read_certificate_total",
      help: "Total number of times that the certificate of a server was read.",
    },
    errors: {
      name: "certwatcher_read_certificate_errors_total",
      help: "Total number of times that the certificate of a server could not be read or used.",
    },
    rejected: {
      name: "xca_certificate_rejected_total",
      help:
        "Total number of new certificates that failed a check, so that the server kept its last.",
      labels: ["server"],
    },
    expires: {
      name: "xca_certificate_expiration_timestamp_seconds",
      help:
        "End of the validity of the certificate that the server uses, in seconds since the epoch.",
      labels: ["server"],
    },
  };

/**
 * The buckets of the latency of webhooks, in seconds (pkg/webhook/internal/metrics,
 * RequestLatency).
 */
const WEBHOOK_BUCKETS: readonly number[] = QUEUE_BUCKETS;

/** The declaration of the counter of requests per webhook. */
export const WEBHOOK_REQUESTS: MetricSpec<"webhook" | "code"> = {
  name: "controller_runtime_webhook_requests_total",
  help: "Total number of requests per webhook, by HTTP status code.",
  labels: ["webhook", "code"],
};

/** The declarations of the counters of failed functions of webhooks. */
export const WEBHOOK_FAILURES: Readonly<Record<"admission" | "conversion", MetricSpec<never>>> = {
  admission: {
    name: "controller_runtime_webhook_panics_total",
    help: "Total number of admission handlers that threw, gave a wrong result or none in time.",
  },
  conversion: {
    name: "controller_runtime_conversion_webhook_panics_total",
    help: "Total number of conversions that threw, gave a wrong result or none in time.",
  },
};

/** The declaration of the gauge of the requests that webhooks handle at present. */
export const WEBHOOK_IN_FLIGHT: MetricSpec<"webhook"> = {
  name: "controller_runtime_webhook_requests_in_flight",
  help: "Number of requests per webhook that are being answered.",
  labels: ["webhook"],
};

/** The declaration of the histogram of the response times of webhooks. */
export const WEBHOOK_LATENCY: HistogramSpec<"webhook"> = {
  name: "controller_runtime_webhook_latency_seconds",
  help: "Time to answer a request per webhook.",
  labels: ["webhook"],
  buckets: WEBHOOK_BUCKETS,
};

/** The declarations of the metrics of informers. */
export const INFORMER: Readonly<
  Record<
    | "synced"
    | "failing"
    | "objects"
    | "bytes"
    | "lagSeconds"
    | "lagVersions"
    | "restarts"
    | "lists"
    | "failures"
    | "events"
    | "undecodable",
    CollectedSpec<"informer">
  >
> = {
  synced: {
    name: "xca_informer_synced",
    help: "Whether the store of the informer holds the complete first list: 1 or 0.",
    labels: ["informer"],
    type: "gauge",
  },
  failing: {
    name: "xca_informer_failing",
    help: "Whether the last list or watch of the informer failed and has not recovered: 1 or 0.",
    labels: ["informer"],
    type: "gauge",
  },
  objects: {
    name: "xca_informer_objects",
    help: "Number of objects in the store of the informer.",
    labels: ["informer"],
    type: "gauge",
  },
  bytes: {
    name: "xca_informer_store_bytes",
    help: "Size of the objects in the store of the informer, in bytes.",
    labels: ["informer"],
    type: "gauge",
  },
  lagSeconds: {
    name: "xca_informer_lag_seconds",
    help: "Time since the server was heard last on the watch of the informer, in seconds.",
    labels: ["informer"],
    type: "gauge",
  },
  lagVersions: {
    name: "xca_informer_lag_versions",
    help:
      "Difference between the newest resource version of all informers and that of the informer.",
    labels: ["informer"],
    type: "gauge",
  },
  restarts: {
    name: "xca_informer_watch_restarts_total",
    help: "Number of streams that ended or were cut, and were followed by another request.",
    labels: ["informer"],
    type: "counter",
  },
  lists: {
    name: "xca_informer_lists_total",
    help: "Number of lists and of watches with initial events.",
    labels: ["informer"],
    type: "counter",
  },
  failures: {
    name: "xca_informer_failures_total",
    help: "Number of failed requests and streams.",
    labels: ["informer"],
    type: "counter",
  },
  events: {
    name: "xca_informer_events_total",
    help: "Number of events about objects.",
    labels: ["informer"],
    type: "counter",
  },
  undecodable: {
    name: "xca_informer_undecodable_total",
    help: "Number of events and objects that could not be decoded.",
    labels: ["informer"],
    type: "counter",
  },
};

/** The declaration of the histogram of the lag of the event loop. */
export const EVENT_LOOP_LAG: HistogramSpec<never> = {
  name: "xca_event_loop_lag_seconds",
  help: "Time by which a timer fired late, because the event loop was busy, in seconds.",
  buckets: LAG_BUCKETS,
};

/**
 * The declarations of the metrics of the process, with the names of Prometheus' client libraries
 * except for `heap`.
 */
export const PROCESS: Readonly<
  Record<
    | "cpu"
    | "resident"
    | "heap"
    | "start"
    | "openFiles"
    | "maxFiles"
    | "virtual"
    | "maxVirtual"
    | "received"
    | "sent",
    CollectedSpec
  >
> = {
  cpu: {
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time of the process, in seconds.",
    type: "counter",
  },
  resident: {
    name: "process_resident_memory_bytes",
    help: "Resident memory of the process, in bytes.",
    type: "gauge",
  },
  heap: {
    name: "xca_process_heap_used_bytes",
    help: "Memory of the JavaScript heap that is in use, in bytes.",
    type: "gauge",
  },
  start: {
    name: "process_start_time_seconds",
    help: "Start of the process, in seconds since the epoch.",
    type: "gauge",
  },
  openFiles: {
    name: "process_open_fds",
    help: "Number of open file descriptors.",
    type: "gauge",
  },
  maxFiles: {
    name: "process_max_fds",
    help: "Largest number of open file descriptors.",
    type: "gauge",
  },
  virtual: {
    name: "process_virtual_memory_bytes",
    help: "Size of the virtual memory of the process, in bytes.",
    type: "gauge",
  },
  maxVirtual: {
    name: "process_virtual_memory_max_bytes",
    help: "Largest size of the virtual memory of the process, in bytes.",
    type: "gauge",
  },
  received: {
    name: "process_network_receive_bytes_total",
    help: "Number of bytes received in the network of the process.",
    type: "counter",
  },
  sent: {
    name: "process_network_transmit_bytes_total",
    help: "Number of bytes sent in the network of the process.",
    type: "counter",
  },
};
