/**
 * The Xca operator on a real control plane, with a faulty path between the two, and a path without
 * faults beside it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { installCrds } from "../../../cli/install_crds.ts";
import { type Clock, systemClock } from "../../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import { InformerFactory } from "../../../lib/cache/informer/informer_factory.ts";
import type { SharedInformer } from "../../../lib/cache/informer/shared_informer.ts";
import type { ReflectorTuning } from "../../../lib/cache/reflector/reflector_options.ts";
import type { Client } from "../../../lib/client/typed/client.ts";
import type { ClientConfig } from "../../../lib/client/config/config.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import type { Fetch } from "../../../lib/client/transport/fetch.ts";
import { createTransport, type Transport } from "../../../lib/client/transport/transport.ts";
import { controllerFor } from "../../../lib/controller/definition/controller_builder.ts";
import type { ControllerOptions } from "../../../lib/controller/definition/controller_definition.ts";
import { defineOperator } from "../../../lib/controller/operator/operator.ts";
import type { OperatorHandle } from "../../../lib/controller/ports/operator_progress.ts";
import type { Reconciler } from "../../../lib/controller/definition/reconciler.ts";
import { runOperator } from "../../../lib/controller/operator/run_operator.ts";
import { Namespace } from "../../../lib/apimachinery/meta/builtin.ts";
import { formatKey, keyOf, type ObjectKey } from "../../../lib/apimachinery/meta/object_key.ts";
import { Xca } from "../../../lib/xca/xca.ts";
import { xcaCrd } from "../../../lib/xca/xca_crd.ts";
import { reconcileXca } from "../../../lib/xca/xca_reconciler.ts";
import { EventRecord } from "./event_record.ts";
import { RunRecord } from "./run_record.ts";
import { until } from "../until.ts";
import type { Plane } from "../planes/plane.ts";

/** Options for {@linkcode FaultRig.start}. */
export interface FaultRigOptions {
  /** The path to the server that fails. @default {the control plane's own} */
  readonly config?: ClientConfig;
  /** Wraps the network of the faulty path. */
  readonly wrap?: (fetch: Fetch) => Fetch;
  /** Options of the reflector, besides its short back-off. */
  readonly reflector?: ReflectorTuning;
  /** Options of the controller. @default {4 workers} */
  readonly controller?: ControllerOptions;
  /** The reconciler. @default {reconcileXca} */
  readonly reconcile?: Reconciler;
  /** The namespace of the objects. @default {a new namespace} */
  readonly namespace?: string;
  /**
   * The time that runs may take to end when the operator stops, in milliseconds. @default {the
   * operator's}
   */
  readonly gracePeriodMs?: number;
  /**
   * The number of notifications that may wait for a handler before they are merged. @default {the
   * informer's}
   */
  readonly coalesceAbove?: number;
  /** The clock of client, cache and controller. @default {the machine's} */
  readonly clock?: Clock;
}

let namespaces = 0;

/** The Xca operator, running in a namespace of its own. */
export class FaultRig implements AsyncDisposable {
  /** The namespace. */
  readonly namespace: string;
  /** A client whose path to the server has no faults. */
  readonly direct: Client;
  /** The network of the faulty path. */
  readonly transport: Transport;
  /** The client of the faulty path: the operator's. */
  readonly client: Client;
  /** The cache under test. */
  readonly informer: SharedInformer<Xca>;
  /** The notifications of a handler. */
  readonly events: EventRecord = new EventRecord();
  /** The runs of the reconciler. */
  readonly runs: RunRecord = new RunRecord();
  /** The operator. */
  readonly operator: OperatorHandle;
  readonly #factory: InformerFactory;
  readonly #stop = new AbortController();

  private constructor(direct: Client, namespace: string, plane: Plane, o: FaultRigOptions) {
    const { config = plane.config, wrap = (fetch) => fetch, clock } = o;
    this.direct = direct;
    this.namespace = namespace;
    this.transport = createTransport(config);
    this.client = createClient({ ...config, namespace }, {
      fetch: wrap(this.transport.fetch),
      clock,
    });
    this.#factory = new InformerFactory(this.client, {
      namespace,
      freeze: true,
      reflector: { backoff: { initialMs: 20, maxMs: 500 }, ...o.reflector },
      clock,
    });
    this.informer = this.#factory.informer(Xca, { coalesceAbove: o.coalesceAbove });
    this.informer.addHandler(this.events.handler, { name: "record" });
    const controller = controllerFor(Xca)
      .options({ workers: 4, ...o.controller })
      .reconcile(this.runs.around(o.reconcile ?? reconcileXca));
    this.operator = runOperator(defineOperator({ name: "faults", controllers: [controller] }), {
      client: this.client,
      informers: this.#factory,
      namespace,
      gracePeriodMs: o.gracePeriodMs,
      clock,
    });
    this.start();
  }

  /** Starts the operator in a new namespace; does not wait until it has synced. */
  static async start(plane: Plane, options: FaultRigOptions = {}): Promise<FaultRig> {
    const direct = createClient(plane.config);
    try {
      const namespace = options.namespace ?? `faults-${++namespaces}`;
      if (!options.namespace) await direct.create(Namespace, { metadata: { name: namespace } });
      await installCrds(direct, [xcaCrd], {
        clock: systemClock,
        signal: AbortSignal.timeout(60_000),
        onInstalled: () => {},
      });
      return new FaultRig(direct, namespace, plane, options);
    } catch (error) {
      direct[Symbol.dispose]();
      throw error;
    }
  }

  /** Starts the cache; called once already. */
  start(): void {
    this.#factory.start(this.#stop.signal);
  }

  /** Stops the operator, then the cache; settles when both have ended. */
  async stop(): Promise<void> {
    await this.operator.stop();
    this.#stop.abort();
    await this.#factory.done;
  }

  /** Returns the key of an object in the operator's namespace. */
  key(name: string): ObjectKey {
    return formatKey({ namespace: this.namespace, name });
  }

  /** Creates an object over the path without faults. */
  create(name: string, foo: string = name): Promise<Xca> {
    return this.direct.create(Xca, {
      metadata: { namespace: this.namespace, name },
      spec: { foo },
    });
  }

  /** Changes an object over the path without faults, whatever its version. */
  change(name: string, foo: string): Promise<Xca> {
    const body = { spec: { foo } };
    return this.direct.patch(Xca, this.key(name), { type: "merge", body });
  }

  /** Deletes an object over the path without faults. */
  delete(name: string): Promise<void> {
    return this.direct.delete(Xca, this.key(name));
  }

  /** Returns the objects on the server, from a fresh LIST over the path without faults. */
  async listed(): Promise<Map<ObjectKey, Xca>> {
    const { items } = await this.direct.list(Xca, { namespace: this.namespace });
    return new Map(items.map((item) => [keyOf(item), item]));
  }

  /**
   * Waits until the fault is mended, and holds everything to what must be so then:
   * - every Xca is active;
   * - the cache equals a fresh LIST: keys, uids, versions, whole objects;
   * - what the handler was told, taken together, is the same state, and was told in order;
   * - nothing was reconciled twice at once.
   */
  async converges(): Promise<void> {
    let wrong = "";
    await until(async () => {
      wrong = this.#difference(await this.listed());
      if (wrong) await delay(30);
      return wrong === "";
    }, () => `the cache equals the server (${wrong})`);
    const listed = await this.listed();
    for (const [key, object] of listed) assert.deepEqual(this.informer.indexer.get(key), object);
    assert.deepEqual(this.events.violations, []);
    assert.deepEqual(this.runs.overlaps, []);
  }

  /** Returns the remaining differences from the server as one line; empty without differences. */
  #difference(listed: ReadonlyMap<ObjectKey, Xca>): string {
    const { indexer } = this.informer;
    const differences: string[] = [];
    for (const [key, { metadata, status }] of listed) {
      const version = `${metadata.uid} ${metadata.resourceVersion}`;
      const cached = indexer.getPacked(key);
      const has = cached ? `${cached.uid} ${cached.resourceVersion}` : "nothing";
      const told = this.events.state.get(key) ?? "nothing";
      if (status?.active !== true) differences.push(`${key} is not active`);
      if (has !== version) differences.push(`${key}: cache has ${has}, server ${version}`);
      if (told !== version) differences.push(`${key}: handler knows ${told}, server ${version}`);
    }
    for (const key of [...indexer.keys(), ...this.events.state.keys()]) {
      if (!listed.has(key)) differences.push(`${key} is gone`);
    }
    return differences.slice(0, 5).join("; ");
  }

  /** Stops the operator, then the cache, and asserts that neither leaves anything behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stop();
    } finally {
      this.#stop.abort();
      this.client[Symbol.dispose]();
      this.transport[Symbol.dispose]();
      this.direct[Symbol.dispose]();
    }
    await until(() => this.transport.openSockets === 0, "all sockets are closed");
  }
}
