/**
 * The fixture of the tests: a simulated cluster on virtual time, the operator of OutsideServices, and
 * a registry on loopback.
 *
 * @module
 */
import assert from "node:assert/strict";
import { runOperator, Service } from "@xca/operator";
import type { V1EndpointSlice, V1Service } from "@xca/operator/kubernetes-types";
import {
  CustomResourceDefinition,
  EndpointSlice,
  EventsEvent,
  findCondition,
} from "@xca/operator/meta";
import { type Crash, OperatorProcess } from "@xca/operator/testing";
import { seededRandom } from "@xca/operator/base";
import {
  type LivingCluster,
  livingCluster,
} from "../../tests/support/in_process/living_cluster.ts";
import { becomes } from "../../tests/support/becomes.ts";
import { passTime } from "../../tests/support/in_process/pass_time.ts";
import { TrackedRequests } from "../../tests/support/network/tracked_requests.ts";
import { type NewOutsideService, OutsideService } from "./outside_service.ts";
import { outsideServices } from "./operator.ts";
import { Registry } from "./registry.ts";
import { TestRegistry } from "./test_registry.ts";

/** The key of the OutsideService in the tests, and of its Service. */
export const KEY = "default/orders";

/** A simulated cluster with an OutsideService, the operator, and the registry. */
export class Rig implements AsyncDisposable {
  /**
   * The operator process, which crashes on demand. Its steps are writes and reads of the registry.
   */
  readonly process: OperatorProcess;
  readonly registry: TestRegistry;
  readonly #requests: TrackedRequests;

  private constructor(readonly cluster: LivingCluster) {
    this.registry = new TestRegistry(cluster.clock);
    this.#requests = new TrackedRequests(cluster.clock, this.registry.held);
    const registry = new Registry(this.registry.url, (input, init) => this.#send(input, init));
    const { clock, server } = cluster;
    const random = seededRandom(1);
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(outsideServices(registry), { client, clock, random }),
    });
  }

  /**
   * Starts the fixture with an OutsideService `orders`, after `setUp` has prepared the registry,
   * and lets two seconds pass.
   */
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
    rig.process.start(crash);
    await rig.pass(2);
    return rig;
  }

  /**
   * Sends a request of the operator to the registry. The read of a service is a step, at which the
   * operator process may crash; the request for the versions of all services, such as a long poll,
   * is none. Rejects with a TypeError if the process has crashed.
   */
  #send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const send = () => this.#requests.send(input, init);
    if (`${input}`.includes("/services/")) return this.process.step(`read ${input}`, send);
    return this.process.crashed
      ? Promise.reject(new TypeError("The operator has crashed"))
      : send();
  }

  /** Lets a number of seconds pass on the fake clock; a crashed operator process is restarted. */
  async pass(seconds: number): Promise<void> {
    await passTime(this.cluster.clock, seconds, async () => {
      await this.#requests.rest();
      if (!this.process.crashed) return;
      await this.process.restartIfCrashed();
      await this.#requests.rest();
    });
  }

  /**
   * Lets time pass until the value that `read` returns equals the expected value; fails after 300
   * seconds.
   */
  async becomes<T>(read: () => T | Promise<T>, expected: T, message?: string): Promise<void> {
    await becomes((seconds) => this.pass(seconds), read, expected, message);
  }

  /**
   * Lets time pass until the EndpointSlices have exactly the given addresses, which are sorted;
   * fails after 300 seconds.
   */
  async has(addresses: readonly string[], message?: string): Promise<void> {
    await this.becomes<readonly string[]>(() => this.addresses(), addresses, message);
  }

  /**
   * Lets time pass until the OutsideService is degraded for a reason; for `undefined`, until it is
   * not degraded. Fails after 300 seconds.
   */
  async isDegraded(reason: string | undefined): Promise<void> {
    await this.becomes(async () => {
      const condition = findCondition((await this.outside()).status?.conditions, "Degraded");
      return condition?.status === "True" ? condition.reason : undefined;
    }, reason);
  }

  /**
   * Makes a change, lets time pass until the operator has made exactly the expected writes, and
   * asserts that no further write follows within two seconds.
   */
  async writes(change: () => void, expected: readonly string[], message?: string): Promise<void> {
    const before = this.process.steps.length;
    const isWrite = (step: string) => !step.startsWith("read ");
    change();
    const read = () => this.process.steps.slice(before).filter(isWrite);
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

  /** Returns the EndpointSlices of the Service, sorted by name. */
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    await this.registry[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}
