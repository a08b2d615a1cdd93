// Mirrors `kube-controller-manager/app/options/options.go, KubeControllerManagerOptions`.
import type { Clock, Random } from "@xca/apimachinery/base";
import type { PemPair } from "@xca/apimachinery/pki";
import type { Client } from "../client/typed/client.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import type { PodScripter } from "./kubelet/container_script.ts";
import type { KubeletHandlers } from "./kubelet/streams/container_process.ts";
import type { MetricsHandlers } from "./metrics/metrics_handlers.ts";

/** Options of {@linkcode startCluster}, which starts the controllers of a simulated cluster. */
export interface ClusterOptions {
  /**
   * The client that the controllers of the cluster use. It needs all permissions; the cluster does
   * not close it.
   */
  readonly client: Client;
  /**
   * The controllers to start, in the syntax of kube-controller-manager's flag `--controllers`:
   * names, also older ones, `*` for all, and `-name` for one to leave out.
   *
   * @default {["*"]}
   */
  readonly controllers?: readonly string[];
  /**
   * The number of simulated nodes to register, from 0 to 1000, named `node-1` and so on. Without
   * nodes there is no default StorageClass either.
   *
   * @default {3}
   */
  readonly nodes?: number;
  /**
   * The function that returns the script of a pod's container. When it returns `undefined`, the
   * script of the pod's annotation `kubelet.xca.k8s.kb.cx/script` applies, or else the default
   * behaviour.
   *
   * @default {none}
   */
  readonly script?: PodScripter;
  /**
   * The functions that replace the programs in the containers, for `kubectl exec`, `attach` and
   * `port-forward`, and for HTTP requests to their ports.
   *
   * @default {none: no program exists, and no port is open}
   */
  readonly handlers?: KubeletHandlers;
  /**
   * The functions that return metrics other than CPU and memory, by which autoscalers scale. The
   * APIs of these metrics are served while the simulated kubelet runs.
   *
   * @default {none: neither custom nor external metrics are served}
   */
  readonly metrics?: MetricsHandlers;
  /**
   * The number of terminated pods in the whole cluster that the pod garbage collector keeps. The
   * collector deletes the others, evicted pods first, then the oldest; 0 keeps all.
   *
   * @default {12_500}
   */
  readonly terminatedPodThreshold?: number;
  /**
   * The certificates of the authority that signed the API server's certificate, as PEM. Controllers
   * of the cluster publish the certificates as the ConfigMap `kube-root-ca.crt` of each namespace,
   * as a ClusterTrustBundle, and as `ca.crt` of service account token Secrets. Without any
   * certificates the controllers of the ConfigMap and of the ClusterTrustBundle do not run.
   *
   * @default {the authority of the client's configuration}
   */
  readonly rootCa?: string;
  /**
   * The private key by which the controller `serviceaccount-token-controller` signs the tokens in
   * Secrets of type `kubernetes.io/service-account-token` (PKCS #8 as PEM text). The key must be
   * that of the API server, which this option does not configure. Without a key the controller does
   * not run.
   *
   * @default {none}
   */
  readonly serviceAccountKey?: string;
  /**
   * The port of the kubelet that the status of the nodes and the registration of the metrics API
   * report, for an API server that reaches the kubelet at another port than the one it listens on.
   *
   * @default {the port that the kubelet listens on}
   */
  readonly namedKubeletPort?: number;
  /**
   * The certificate and the private key of the authority that issues the certificates of approved
   * CertificateSigningRequests, as PEM texts. An API server that trusts the authority accepts the
   * issued client certificates. Without this option the controller
   * `certificatesigningrequest-signing-controller` does not run.
   *
   * @default {none}
   */
  readonly clusterSigning?: PemPair;
  /** The clock of the cluster's controllers. @default {systemClock} */
  readonly clock?: Clock;
  /** The random number source of the cluster's controllers. @default {systemRandom} */
  readonly random?: Random;
}

/** The running controllers of a simulated cluster; `await using` stops them. */
export interface Cluster extends OperatorHandle {
  /**
   * The loopback port that the simulated kubelet listens on; `undefined` when no kubelet runs, or
   * this process cannot listen.
   */
  readonly kubeletPort: number | undefined;
}
