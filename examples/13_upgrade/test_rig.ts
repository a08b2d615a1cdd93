/**
 * The scene of the tests: a living cluster on virtual time, a Shop whose versions fail where a test asks
 * for it, and the operator, whose connection breaks where a test asks for it. After each second the rig
 * checks what must hold of pods and schema.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, mergePatch, type OperatorHandle, Pod, runOperator } from "@xca/operator";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition, type DeepReadonly, EventsEvent } from "@xca/operator/meta";
import { clientOf, dropCall } from "@xca/operator/testing";
import { type LivingCluster, livingCluster } from "../../tests/support/living_cluster.ts";
import { operator } from "./operator.ts";
import { type NewShop, Shop } from "./shop.ts";

/** The key of the Shop of the tests. */
export const KEY = "default/shop";

/** A failing step of a version: its migration, the migration back, or the start of its pods. */
export type Fault = "up" | "down" | "start";

/** A crash of the operator: its write is lost, or is done and the response is lost. */
export interface Crash {
  readonly write: number;
  readonly moment: "before" | "after";
}

/** Returns the version in the image of a pod. */
export function versionOf({ spec }: DeepReadonly<V1Pod>): string {
  return spec!.containers[0]!.image!.split(":")[1]!;
}

/** Returns the versions between which a pod migrates; `undefined` for a pod that serves. */
function migrationOf({ spec }: DeepReadonly<V1Pod>): { from: string; to: string } | undefined {
  const { args = [] } = spec!.containers[0]!;
  const option = (name: string): string =>
    args.find((arg) => arg.startsWith(`--${name}=`))!.split("=")[1]!;
  return args[0] === "migrate" ? { from: option("from"), to: option("to") } : undefined;
}

/** A living cluster with a Shop of version 1.0.0, and the operator. */
export class Rig implements AsyncDisposable {
  /** The operator's writes so far, as `PATCH shops/shop/status`, events left out. */
  readonly writes: string[] = [];
  /** The version of the schema, by the migrations that succeeded. */
  schema = "none";
  readonly #seen = new Set<string>();
  readonly #stack = new AsyncDisposableStack();
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  #isDead = false;

  private constructor(readonly cluster: LivingCluster) {
    this.#stack.use(cluster);
  }

  /** Starts a cluster in which versions have faults. */
  static async start(
    faults: Readonly<Record<string, readonly Fault[]>> = {},
    spec: Partial<NewShop["spec"]> = {},
    crash?: Crash,
  ): Promise<Rig> {
    const rig = new Rig(
      await livingCluster({
        script: (pod) => {
          const migration = migrationOf(pod);
          const ofVersion = faults[versionOf(pod)] ?? [];
          if (!migration) {
            return { readyAfterMs: ofVersion.includes("start") ? "never" : 3000, stopMs: 2000 };
          }
          const step = migration.to === versionOf(pod) ? "up" : "down";
          return { runMs: 2000, exitCode: ofVersion.includes(step) ? 1 : 0 };
        },
      }),
    );
    const { client } = rig.cluster;
    await client.create(CustomResourceDefinition, Shop.crd);
    await client.create(Shop, {
      metadata: { name: "shop", namespace: "default" },
      spec: { image: "shop", version: "1.0.0", startSeconds: 30, ...spec },
    });
    rig.run(crash);
    return rig;
  }

  /** Runs the operator, whose connection breaks for good at one of its writes. */
  run(crash?: Crash): void {
    const { clock, server } = this.cluster;
    this.#isDead = false;
    const client = clientOf(server, {
      clock,
      through: (fetch) => async (request) => {
        if (this.#isDead) throw new TypeError("The process of the operator is gone");
        const { pathname } = new URL(request.url);
        // An event may be lost.
        if (request.method === "GET" || pathname.includes("/events")) return await fetch(request);
        const write = `${request.method} ${pathname.split("/").slice(-3).join("/")}`;
        if (this.writes.push(write) !== crash?.write) return await fetch(request);
        this.#isDead = true;
        return await dropCall(crash.moment)(request, fetch, { clock });
      },
    });
    this.#client = client;
    this.#running = runOperator(operator, { client, clock });
  }

  /** Lets time pass; a process that has crashed is started again. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.cluster.pass(1);
      this.#check(await this.cluster.pods());
      if (!this.#isDead) continue;
      await this.stop();
      this.run();
    }
  }

  /** Lets time pass until a Shop rests, and returns it. */
  async settled(version: string): Promise<Shop> {
    for (let second = 0; second < 600; second++) {
      await this.pass(1);
      const shop = await this.shop();
      if (
        !shop.status?.upgrade &&
        [shop.status?.version, shop.status?.failed?.version].includes(version)
      ) {
        await this.pass(8);
        return await this.shop();
      }
    }
    throw new Error(`The Shop does not settle: ${JSON.stringify((await this.shop()).status)}`);
  }

  /** Checks that no pod serves on a schema of another version, and that one pod at most migrates. */
  #check(pods: readonly V1Pod[]): void {
    const isOver = ({ status }: V1Pod): boolean =>
      status?.phase === "Succeeded" || status?.phase === "Failed";
    const migrating = pods.filter((pod) => migrationOf(pod));
    for (const pod of migrating.filter(({ status }) => status?.phase === "Succeeded")) {
      if (this.#seen.has(pod.metadata!.uid!)) continue;
      this.#seen.add(pod.metadata!.uid!);
      const { from, to } = migrationOf(pod)!;
      assert([from, to].includes(this.schema), `a migration from ${from} on ${this.schema}`);
      this.schema = to;
    }
    const active = migrating.filter((pod) => !isOver(pod));
    const serving = pods.filter((pod) => !migrationOf(pod) && !isOver(pod));
    assert(active.length <= 1, "one pod at most migrates");
    assert(active.length === 0 || serving.length === 0, "no pod serves during a migration");
    for (const pod of serving) assert.equal(versionOf(pod), this.schema, "a pod of the schema");
  }

  shop(): Promise<Shop> {
    return this.cluster.client.get(Shop, KEY);
  }

  async set(spec: Partial<Shop["spec"]>): Promise<void> {
    await this.cluster.client.patch(Shop, KEY, mergePatch({ spec }));
  }

  /** Returns the versions of the pods that are ready. */
  async ready(): Promise<string[]> {
    return (await this.cluster.client.list(Pod)).items.filter(({ status }) =>
      status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")
    ).map(versionOf);
  }

  /** Returns the reasons of the operator's events, sorted. */
  async reasons(): Promise<string[]> {
    return (await this.cluster.client.list(EventsEvent)).items
      .filter(({ regarding }) => regarding?.kind === "Shop").map(({ reason }) => reason!).sort();
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
