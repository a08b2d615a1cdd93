import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { type Random, seededRandom } from "../../lib/apimachinery/base/time/random.ts";
import type { HandlerRegistration } from "../../lib/cache/events/event_handler.ts";
import { InformerFactory } from "../../lib/cache/informer/informer_factory.ts";
import type { SharedInformer } from "../../lib/cache/informer/shared_informer.ts";
import type { Client } from "../../lib/client/typed/client.ts";
import type { ClientConfig } from "../../lib/client/config/config.ts";
import { createClient } from "../../lib/client/create_client.ts";
import { controllerFor } from "../../lib/controller/definition/controller_builder.ts";
import { defineOperator } from "../../lib/controller/operator/operator.ts";
import type { Operator } from "../../lib/controller/definition/operator_definition.ts";
import type { OperatorHandle } from "../../lib/controller/ports/operator_progress.ts";
import type { Reconciler } from "../../lib/controller/definition/reconciler.ts";
import { runOperator } from "../../lib/controller/operator/run_operator.ts";
import { ConfigMap } from "../../lib/apimachinery/meta/builtin.ts";
import type { V1ConfigMap } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import type { KubeObject } from "../../lib/apimachinery/meta/object.ts";
import type { ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { Xca } from "../../lib/xca/xca.ts";
import { reconcileXca } from "../../lib/xca/xca_reconciler.ts";
import { Follower, type FollowerOptions } from "./follower.ts";

/** A follower at its informer. */
export interface Following {
  readonly follower: Follower;
  readonly informer: SharedInformer;
  readonly registration: HandlerRegistration;
}

/**
 * The subject of the test: two informers with fast, slow and throwing handlers, and the Xca
 * operator on them, all on a faulty path to the server.
 */
export class Subject implements AsyncDisposable {
  readonly client: Client;
  readonly configMaps: SharedInformer<V1ConfigMap>;
  readonly xcas: SharedInformer<Xca>;
  readonly following: Following[] = [];
  /** A key that was reconciled twice at once. */
  overlap: ObjectKey | undefined;
  /** The number of reconcile runs. */
  runs = 0;
  readonly #factory: InformerFactory;
  readonly #operator: Operator;
  readonly #namespace: string;
  readonly #random: Random;
  readonly #running = new Set<ObjectKey>();
  readonly #stop = new AbortController();
  #handle: OperatorHandle;
  #late: Following[] = [];
  /** The number of calls of removed handlers. */
  #lateCalls = 0;

  constructor(config: ClientConfig, namespace: string, seed: number) {
    this.#random = seededRandom(seed);
    this.#namespace = namespace;
    this.client = createClient({ ...config, requestTimeoutMs: 5_000 });
    // Short, so that an hour holds many of them; a silent watch is noticed within a round.
    const reflector = { backoff: { initialMs: 50, maxMs: 1_000 }, idleTimeoutMs: 4_000 };
    this.#factory = new InformerFactory(this.client, { namespace, freeze: true, reflector });
    this.configMaps = this.#factory.informer(ConfigMap);
    // The other way to sync, with pages small enough to be cut, and to expire, between two of them.
    this.xcas = this.#factory.informer(Xca, {
      reflector: { ...reflector, watchList: false, pageSize: 10 },
    });
    const slow = (): number => this.#random.next() * 30;
    const fails = (): boolean => this.#random.next() < 1 / 150;
    for (const informer of [this.configMaps, this.xcas] as unknown as SharedInformer[]) {
      this.#follow(informer, { name: "fast", resyncPeriodMs: 5_000 });
      this.#follow(informer, { name: "slow", slow });
      this.#follow(informer, { name: "throwing", fails });
    }
    const controller = controllerFor(Xca)
      .options({ workers: 4, rateLimiter: () => new ItemExponentialLimiter({ maxMs: 1_000 }) })
      .reconcile((context) => this.#reconcile(context));
    this.#operator = defineOperator({ name: "soak", controllers: [controller] });
    this.#handle = this.#run();
    this.#factory.start(this.#stop.signal);
  }

  /** The number of calls of handlers. */
  get calls(): number {
    return this.following.reduce((sum, each) => sum + each.follower.calls, this.#lateCalls);
  }

  /** Resolves once both caches have synced. */
  whenSynced(): Promise<void> {
    return this.#factory.whenSynced();
  }

  /** Adds a handler for the rest of the round. */
  addLateHandler(): void {
    const informer = this.#random.next() < 0.5 ? this.configMaps : this.xcas;
    this.#late.push(this.#follow(informer as unknown as SharedInformer, { name: "late" }));
  }

  /** Removes the handlers that were added during the round. */
  async removeLateHandlers(): Promise<void> {
    for (const late of this.#late) {
      await late.registration.removeAndWait();
      this.#lateCalls += late.follower.calls;
      this.following.splice(this.following.indexOf(late), 1);
    }
    this.#late = [];
  }

  /** Stops the operator and starts it again on the same caches. */
  async restartOperator(): Promise<void> {
    await this.#handle.stop();
    this.#handle = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.stop();
    this.#stop.abort();
    await this.#factory.done;
    this.client[Symbol.dispose]();
  }

  #run(): OperatorHandle {
    return runOperator(this.#operator, {
      client: this.client,
      informers: this.#factory,
      namespace: this.#namespace,
      gracePeriodMs: 10_000,
    });
  }

  #follow(informer: SharedInformer, options: FollowerOptions): Following {
    const follower = new Follower({ ...options, name: `${options.name} of ${informer.name}` });
    const { resyncPeriodMs = 0 } = options;
    const registration = informer.addHandler(follower.handler, {
      name: follower.name,
      resyncPeriodMs,
    });
    const following = { follower, informer, registration };
    this.following.push(following);
    return following;
  }

  /** The Xca reconciler, now and then slow, now and then failing, and watched for overlaps. */
  readonly #reconcile: Reconciler = async (context) => {
    const { key } = context;
    if (this.#running.has(key)) this.overlap ??= key;
    this.#running.add(key);
    this.runs++;
    try {
      await delay(this.#random.next() * 10);
      if (this.#random.next() < 1 / 50) throw new Error("the reconciler fails on purpose");
      return await reconcileXca(context);
    } finally {
      this.#running.delete(key);
    }
  };
}

/** Uid and version of an object as one string. */
export function versionOf(object: KubeObject): string {
  return `${object.metadata.uid} ${object.metadata.resourceVersion}`;
}
