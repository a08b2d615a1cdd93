import { type Clock, type Random, seededRandom, systemClock } from "@xca/apimachinery/base";
import { selectNames, unknownName } from "@xca/apimachinery/internal/base";
import { freshSigningKey } from "@xca/apimachinery/internal/pki";
import {
  API_SERVER_CONTROLLERS,
  type ApiObject,
  ApiServer as EmbeddedServer,
  type ApiServerOptions as EmbeddedOptions,
  type HostPort,
  type PeerInfo,
} from "@xca/apiserver";
import type { Client } from "../client/typed/client.ts";
import type { Cluster, ClusterOptions } from "../cluster/cluster_options.ts";
import { componentsOf } from "../cluster/components.ts";
import { currentControllerNames } from "../cluster/controller_names.ts";
import { clientOf } from "./embedded_client.ts";
import { FakeClock } from "./fake_clock.ts";
import { untilServed } from "./until_served.ts";
import { untilSettled } from "./until_settled.ts";

/** Options of {@linkcode ApiServer.start}, which starts an in-process API server. */
export interface ApiServerOptions extends
  Omit<EmbeddedOptions, "components" | "controllers">,
  Pick<
    ClusterOptions,
    | "clusterSigning"
    | "handlers"
    | "metrics"
    | "nodes"
    | "rootCa"
    | "script"
    | "terminatedPodThreshold"
  > {
  /**
   * The controllers to start, in the syntax of kube-controller-manager's flag `--controllers`:
   * names, `*` for all, and `-name` for one to leave out. The names are those of the API server's
   * own controllers, `API_SERVER_CONTROLLERS` of `@xca/apiserver`, and of a simulated cluster,
   * `CLUSTER_CONTROLLERS` of `@xca/operator/cluster`. `true` selects those of the API server,
   * `false` none.
   *
   * @default {true}
   */
  readonly controllers?: boolean | readonly string[];
  /**
   * The random number source of the API server and its controllers, for UIDs, the suffixes of
   * generated names and the jitter of waits.
   *
   * @default {systemRandom; with a FakeClock as clock, seededRandom(1), so that each run is the
   * same}
   */
  readonly random?: Random;
}

/** The port of the kubelet in the status of the simulated nodes. */
const KUBELET_PORT = 10_250;
/** The name of the controller that creates a service account in each namespace. */
const ACCOUNT_CONTROLLER = "serviceaccount-controller";
/** The name of the controller that adds tokens to Secrets of service accounts. */
const TOKEN_CONTROLLER = "serviceaccount-token-controller";
/**
 * The name of the admission plugin that sets the service account of each pod and requires that the
 * account exists.
 */
const ACCOUNT_PLUGIN = "ServiceAccount";

/**
 * An in-process Kubernetes API server for tests, with the controllers of a simulated cluster on
 * request.
 *
 * A call of {@linkcode ApiServer.fetch} without a peer and without credentials has the rights of an
 * administrator. The caller disposes the server. With controllers of a cluster, end it by `await
 * using`: the controllers stop first, then the server.
 *
 * On a {@linkcode FakeClock} no time passes by itself, and none is waited for: `advance` of the
 * clock does all work that becomes due, {@linkcode expectObject} lets time pass until an object is
 * as expected, and two runs of the same program send the same requests at the same times.
 *
 * @example a Deployment becomes available
 * ```ts
 * import { Deployment } from "@xca/operator/meta";
 * import { ApiServer, expectObject } from "@xca/operator/testing";
 *
 * await using server = await ApiServer.start({ controllers: ["*"] });
 * await server.seed(`
 * apiVersion: apps/v1
 * kind: Deployment
 * metadata: { name: web }
 * spec:
 *   replicas: 3
 *   selector: { matchLabels: { app: web } }
 *   template:
 *     metadata: { labels: { app: web } }
 *     spec: { containers: [{ name: web, image: "web:1" }] }
 * `);
 * await expectObject(server, Deployment, "default/web", { status: { availableReplicas: 3 } });
 * ```
 *
 * @example an hour of a CronJob
 * ```ts
 * import assert from "node:assert/strict";
 * import { Event, Job } from "@xca/operator/meta";
 * import { ApiServer, clientOf, FakeClock } from "@xca/operator/testing";
 *
 * const clock = new FakeClock();
 * await using server = await ApiServer.start({ controllers: ["*"], clock });
 * await server.seed(`
 * apiVersion: batch/v1
 * kind: CronJob
 * metadata: { name: report }
 * spec:
 *   schedule: "*\/5 * * * *"
 *   successfulJobsHistoryLimit: 100
 *   jobTemplate:
 *     spec:
 *       template:
 *         metadata:
 *           annotations: { kubelet.xca.k8s.kb.cx/script: '{ "*": { "runMs": 1000 } }' }
 *         spec: { restartPolicy: Never, containers: [{ name: report, image: "report:1" }] }
 * `);
 * await clock.advance(3_610_000); // and ten seconds, in which the last Job ends
 * using client = clientOf(server);
 * const { items } = await client.list(Job);
 * assert.equal(items.filter(({ status }) => status?.succeeded === 1).length, 12);
 * ```
 */
export class ApiServer extends EmbeddedServer {
  #clock: Clock = systemClock;
  #random: Random | undefined;
  #living: { readonly cluster: Cluster; readonly client: Client } | undefined;
  #ended: Promise<void> | undefined;

  /**
   * Starts an API server with the objects that every cluster has, such as system namespaces and
   * roles, and the controllers that the options select. With controllers of a simulated cluster,
   * resolves once their first work is done. The code of a simulated cluster is loaded only when one
   * of its controllers is selected.
   *
   * Without a certificate authority (`rootCa`) no ConfigMap `kube-root-ca.crt` is published.
   *
   * @throws {RangeError} If an option is invalid, or an option of a simulated cluster is given
   * without one of its controllers.
   * @throws {Error} If the data file cannot be used; the message names it.
   */
  static override async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { controllers = true, clock = systemClock } = options;
    const random = options.random ?? (clock instanceof FakeClock ? seededRandom(1) : undefined);
    const { own, living, list } = await split(controllers);
    checkLiving(options, living);
    const hasAccounts = living.includes(ACCOUNT_CONTROLLER);
    const shared = {
      ...options,
      ...(living.includes(TOKEN_CONTROLLER) && { serviceAccountKey: keyOf(options) }),
    };
    const server = await super.start({
      ...shared,
      ...(random && { random }),
      ...(hasAccounts && { enableAdmissionPlugins: withAccounts(options) }),
      controllers: own,
      components: componentsOf(living),
      reach: (named) => server.#reach(options.reach?.(named) ?? named),
    }) as ApiServer;
    server.#clock = clock;
    server.#random = random;
    if (living.length === 0) return server;
    try {
      await server.#live({ ...shared, controllers: list });
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  /** The clock of the API server: the option's, or the system's. */
  get clock(): Clock {
    return this.#clock;
  }

  /**
   * The random number source of the API server; `undefined` for the system's. With a {@linkcode
   * FakeClock} as clock, a seeded one unless the option is given.
   */
  get random(): Random | undefined {
    return this.#random;
  }

  /**
   * The running controllers of the simulated cluster; `undefined` when none was selected, or once
   * the server begins to end.
   */
  get cluster(): Cluster | undefined {
    return this.#living?.cluster;
  }

  /**
   * Returns the response of the API server to an HTTP request. Never rejects: errors are returned
   * as a `Status`. A {@linkcode FakeClock} advances only after the response.
   */
  override fetch(request: Request, peer?: PeerInfo): Promise<Response> {
    const answer = super.fetch(request, peer);
    return this.#clock instanceof FakeClock ? this.#clock.hold(answer) : answer;
  }

  /**
   * Creates or updates objects, given as YAML or JSON text or as values, like `kubectl apply
   * --server-side --force-conflicts`, and their status. Returns the written objects, in the given
   * order, once the kinds of the CustomResourceDefinitions among them are served, or after about a
   * second for each version that is not. On a {@linkcode FakeClock} time passes meanwhile.
   *
   * @throws {Error} If an object is refused; the message names the object. Those before it remain.
   */
  override seed(manifests: string | readonly ApiObject[]): Promise<ApiObject[]> {
    return untilSettled(this.#seed(manifests), this.#clock);
  }

  /**
   * Stops the API server without controllers of a cluster: ends all watches and timers, and closes
   * the data file in the background.
   *
   * @throws {TypeError} If controllers of a simulated cluster run, which end in the background then:
   * they cannot end in one step, as with `await using`.
   */
  override [Symbol.dispose](): void {
    if (!this.#living) return super[Symbol.dispose]();
    this[Symbol.asyncDispose]().catch(() => {}); // The caller gets the error below.
    throw new TypeError(
      "Cannot end an API server with controllers in one step: declare it by `await using`",
    );
  }

  /**
   * Stops the controllers, then the API server: ends all watches and timers. Resolves once the data
   * file is closed, and another server may open it. On a {@linkcode FakeClock} time passes while
   * the controllers end.
   */
  override [Symbol.asyncDispose](): Promise<void> {
    return this.#ended ??= this.#end();
  }

  async #seed(manifests: string | readonly ApiObject[]): Promise<ApiObject[]> {
    const made = await super.seed(manifests);
    await untilServed(made, { fetch: (request) => this.fetch(request), clock: this.#clock });
    return made;
  }

  async #end(): Promise<void> {
    const living = this.#living;
    this.#living = undefined;
    try {
      using _client = living?.client;
      if (living) await untilSettled(living.cluster.stop(), this.#clock);
    } finally {
      await super[Symbol.asyncDispose]();
    }
  }

  /**
   * Returns the address at which the simulated kubelet listens, for the address that its nodes
   * state; other addresses are returned unchanged.
   */
  #reach(named: HostPort): HostPort {
    const port = this.cluster?.kubeletPort;
    const isKubelet = named.port === KUBELET_PORT && /^(localhost|127\.0\.0\.1)$/.test(named.host);
    return isKubelet && port !== undefined ? { ...named, port } : named;
  }

  /** Starts the controllers of a simulated cluster, and resolves when their first work is done. */
  async #live(options: Omit<ClusterOptions, "client">): Promise<void> {
    const { startCluster } = await import("../cluster/cluster.ts");
    // The controller of Endpoints needs an API that is deprecated: no user can change that.
    const client = clientOf(this, { onWarning: () => {} });
    const clocks = { clock: this.#clock, ...(this.#random && { random: this.#random }) };
    const namedKubeletPort = KUBELET_PORT; // The same on every run, unlike a free port.
    const cluster = await startCluster({ ...options, ...clocks, client, namedKubeletPort })
      .catch((error) => {
        client[Symbol.dispose]();
        throw error;
      });
    this.#living = { cluster, client };
    // The namespaces have their service accounts then, without which no pod is created.
    await untilSettled(cluster.settled(), this.#clock);
  }
}

/**
 * Returns the selected controllers of the API server and those of a simulated cluster, of a list of
 * both.
 *
 * @throws {RangeError} If a name is unknown, or the list has only names with a minus sign.
 */
async function split(controllers: boolean | readonly string[]): Promise<{
  readonly own: boolean | readonly string[];
  /** The names of the selected controllers of a simulated cluster. */
  readonly living: readonly string[];
  /** The controller list for the simulated cluster, which selects these controllers. */
  readonly list: readonly string[];
}> {
  if (typeof controllers === "boolean") return { own: controllers, living: [], list: [] };
  const all = currentControllerNames(controllers);
  const own = selectNames(all, API_SERVER_CONTROLLERS);
  if (controllers.length > 0 && !controllers.some((name) => name === plain(name))) {
    throw new RangeError(
      `Cannot start controllers: ${
        JSON.stringify(controllers)
      } selects none, add "*" for all others`,
    );
  }
  if (all.every((name) => API_SERVER_CONTROLLERS.includes(plain(name)))) {
    return { own, living: [], list: [] };
  }
  const { CLUSTER_CONTROLLERS } = await import("../cluster/controllers.ts");
  const known = [...API_SERVER_CONTROLLERS, ...CLUSTER_CONTROLLERS];
  const unknown = unknownName(all, known);
  if (unknown === undefined) {
    const list = all.filter((name) => !API_SERVER_CONTROLLERS.includes(plain(name)));
    return { own, list, living: selectNames(all, CLUSTER_CONTROLLERS) };
  }
  throw new RangeError(
    `Cannot start controller ${JSON.stringify(unknown)}: known are ${known.toSorted().join(", ")}`,
  );
}

/** Returns the name of a controller without the minus sign that excludes it from a list. */
function plain(name: string): string {
  return name.replace(/^-/, "");
}

/**
 * Throws if an option for a simulated cluster is given although none of its controllers is
 * selected.
 *
 * @throws {RangeError} If an option has no effect.
 */
function checkLiving(options: ApiServerOptions, living: readonly string[]): void {
  if (living.length > 0) return;
  const { clusterSigning, handlers, metrics, nodes, rootCa, script, terminatedPodThreshold } =
    options;
  const ofCluster = { clusterSigning, handlers, metrics, nodes, rootCa, script };
  const given = Object.entries({ ...ofCluster, terminatedPodThreshold })
    .find(([, value]) => value !== undefined);
  if (!given) return;
  throw new RangeError(
    `Cannot use the option ${
      given[0]
    } without a simulated cluster: give controllers, such as ["*"]`,
  );
}

/**
 * Returns the private key with which the API server and the token controller sign service account
 * tokens: the given key, or a new one.
 */
function keyOf({ serviceAccountKey = freshSigningKey() }: ApiServerOptions): string {
  return serviceAccountKey;
}

function withAccounts({ enableAdmissionPlugins = [] }: ApiServerOptions): string[] {
  return [...enableAdmissionPlugins, ACCOUNT_PLUGIN];
}
