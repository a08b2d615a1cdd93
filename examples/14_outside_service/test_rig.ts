/**
 * The scene of the tests: a living cluster on virtual time, the operator of OutsideServices, and a
 * registry on loopback.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, type OperatorHandle, runOperator, Service } from "@xca/operator";
import type { V1EndpointSlice, V1Service } from "@xca/operator/kubernetes-types";
import {
  CustomResourceDefinition,
  EndpointSlice,
  EventsEvent,
  findCondition,
} from "@xca/operator/meta";
import { clientOf, dropCall } from "@xca/operator/testing";
import { seededRandom } from "@xca/operator/base";
import { type LivingCluster, livingCluster } from "../../tests/support/living_cluster.ts";
import { becomes } from "../../tests/support/becomes.ts";
import { passTime } from "../../tests/support/pass_time.ts";
import { TrackedRequests } from "../../tests/support/tracked_requests.ts";
import { type NewOutsideService, OutsideService } from "./outside_service.ts";
import { outsideServices } from "./operator.ts";
import { Registry } from "./registry.ts";
import { TestRegistry } from "./test_registry.ts";

/** The key of the OutsideService of the tests, and of its Service. */
export const KEY = "default/orders";

/** The moment of a crash: the request is lost, or is done and its response is lost. */
export type Moment = "before" | "after";

/** A crash of the operator at one of its writes, or of its reads of the registry. */
export interface Crash {
  readonly step: number;
  readonly moment: Moment;
}

/** A living cluster with an OutsideService, the operator, and the registry. */
export class Rig implements AsyncDisposable {
  /** The steps of the operator so far: writes, as `PATCH endpointslices/orders-ipv4-1`, and reads. */
  readonly steps: string[] = [];
  readonly registry: TestRegistry;
  readonly #requests: TrackedRequests;
  readonly #stack = new AsyncDisposableStack();
  #isDead = false;
  #running: OperatorHandle | undefined;
  #client: Client | undefined;

  private constructor(readonly cluster: LivingCluster) {
    this.registry = new TestRegistry(cluster.clock);
    this.#requests = new TrackedRequests(cluster.clock, this.registry.held);
    this.#stack.use(cluster);
    this.#stack.use(this.registry);
  }

  /** Starts the scene, with an OutsideService `orders`. */
  static async start(
    setUp: (registry: TestRegistry) => void = () => {},
    spec: Partial<NewOutsideService["spec"]> = {},
    crash?: Crash,
  ): Promise<Rig> {
    const rig = new Rig(
      await livingCluster({ nodes: 0, controllers: ["endpointslice-controller"] }),
    );
    const { client } = rig.cluster;
    setUp(rig.registry);
    await client.create(CustomResourceDefinition, OutsideService.crd);
    await client.create(OutsideService, {
      metadata: { name: "orders", namespace: "default" },
      spec: {
        service: "orders",
        ports: [{ name: "http", port: 80, targetPort: 8080 }],
        ...spec,
      },
    });
    rig.run(crash);
    await rig.pass(2);
    return rig;
  }

  /** Runs the operator, whose connections break for good at one of its steps. */
  run(crash?: Crash): void {
    const { clock, server } = this.cluster;
    this.#isDead = false;
    const dies = (step: string): boolean => {
      if (this.#isDead) throw new TypeError("The process of the operator is gone");
      this.#isDead = this.steps.push(step) === crash?.step;
      return this.#isDead;
    };
    this.#client = clientOf(server, {
      clock,
      through: (fetch) => async (request) => {
        if (this.#isDead) throw new TypeError("The process of the operator is gone");
        const { pathname } = new URL(request.url);
        // An event may be lost.
        if (request.method === "GET" || pathname.includes("/events")) return await fetch(request);
        const step = `${request.method} ${pathname.split("/").slice(6).join("/")}`;
        return dies(step)
          ? await dropCall(crash!.moment)(request, fetch, { clock })
          : await fetch(request);
      },
    });
    const registry = new Registry(this.registry.url, (input, init) => {
      const isPoll = !`${input}`.includes("/services/");
      if (this.#isDead) throw new TypeError("The process of the operator is gone");
      const isLast = !isPoll && dies(`read ${input}`);
      if (isLast && crash?.moment === "before") throw new TypeError("gone before the request");
      return this.#requests.send(input, init).then((response) => {
        if (isLast) throw new TypeError("gone before the response");
        return response;
      });
    });
    const random = seededRandom(1);
    this.#running = runOperator(outsideServices(registry), { client: this.#client, clock, random });
  }

  /** Lets time pass; a process that has crashed is started again. */
  async pass(seconds: number): Promise<void> {
    await passTime(this.cluster.clock, seconds, async () => {
      await this.#requests.rest();
      if (!this.#isDead) return;
      await this.stop();
      this.run();
      await this.#requests.rest();
    });
  }

  /** Lets time pass until a value is the expected one. */
  async becomes<T>(read: () => T | Promise<T>, expected: T, message?: string): Promise<void> {
    await becomes((seconds) => this.pass(seconds), read, expected, message);
  }

  /** Lets time pass until the slices have exactly some addresses. */
  async has(addresses: readonly string[], message?: string): Promise<void> {
    await this.becomes<readonly string[]>(() => this.addresses(), addresses, message);
  }

  /** Lets time pass until the OutsideService is degraded for a reason. */
  async isDegraded(reason: string | undefined): Promise<void> {
    await this.becomes(async () => {
      const condition = findCondition((await this.outside()).status?.conditions, "Degraded");
      return condition?.status === "True" ? condition.reason : undefined;
    }, reason);
  }

  /** Lets time pass until the operator has written some objects since a change, and checks which. */
  async writes(change: () => void, expected: readonly string[], message?: string): Promise<void> {
    const before = this.steps.length;
    const isWrite = (step: string) => !step.startsWith("read ");
    change();
    const read = () => this.steps.slice(before).filter(isWrite);
    await this.becomes<readonly string[]>(read, expected, message);
    await this.pass(2);
    assert.deepEqual(read(), expected, "there is no further write");
  }

  outside(): Promise<OutsideService> {
    return this.cluster.client.get(OutsideService, KEY);
  }

  service(): Promise<V1Service> {
    return this.cluster.client.get(Service, KEY);
  }

  /** Returns the slices of the Service by name. */
  async slices(): Promise<V1EndpointSlice[]> {
    const labelSelector = "kubernetes.io/service-name=orders";
    const { items } = await this.cluster.client.list(EndpointSlice, { labelSelector });
    return items.sort((a, b) => a.metadata!.name! < b.metadata!.name! ? -1 : 1);
  }

  /** Returns the addresses of all slices, sorted. */
  async addresses(): Promise<string[]> {
    return (await this.slices()).flatMap(({ endpoints }) =>
      (endpoints ?? []).map(({ addresses }) => addresses[0]!)
    ).sort();
  }

  async reasons(): Promise<string[]> {
    const { items } = await this.cluster.client.list(EventsEvent);
    return items.map(({ reason }) => reason ?? "");
  }

  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    await this.cluster.pass(6);
    await stopped?.catch(() => {});
    this.#running = undefined;
    this.#client?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#stack.disposeAsync();
  }
}
