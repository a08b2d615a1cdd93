/**
 * The fixture of the tests: a simulated cluster on virtual time, a Shop whose versions fail on
 * demand, and the operator, whose connection breaks on demand. After each second the fixture checks the
 * invariants of pods and schema.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch, Pod, runOperator } from "@xca/operator";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition, type DeepReadonly, EventsEvent } from "@xca/operator/meta";
import { type Crash, OperatorProcess } from "@xca/operator/testing";
import {
  type LivingCluster,
  livingCluster,
} from "../../tests/support/in_process/living_cluster.ts";
import { operator } from "./operator.ts";
import { type NewShop, Shop } from "./shop.ts";

/** The key of the Shop in the tests. */
export const KEY = "default/shop";

/**
 * The step of a version that fails: its migration, the migration back, or the start of its pods.
 */
export type Fault = "up" | "down" | "start";

/** Returns the version in the image of a pod. */
export function versionOf({ spec }: DeepReadonly<V1Pod>): string {
  return spec!.containers[0]!.image!.split(":")[1]!;
}

/**
 * Returns the versions between which a pod migrates the schema; `undefined` for a pod that serves.
 */
function migrationOf({ spec }: DeepReadonly<V1Pod>): { from: string; to: string } | undefined {
  const { args = [] } = spec!.containers[0]!;
  const option = (name: string): string =>
    args.find((arg) => arg.startsWith(`--${name}=`))!.split("=")[1]!;
  return args[0] === "migrate" ? { from: option("from"), to: option("to") } : undefined;
}

/** A simulated cluster with a Shop of version 1.0.0, and the operator. */
export class Rig implements AsyncDisposable {
  /** The schema version, as set by the migrations that succeeded. */
  schema = "none";
  readonly #seen = new Set<string>();
  /** The operator process, which crashes on demand. */
  readonly process: OperatorProcess;

  private constructor(readonly cluster: LivingCluster) {
    const { clock, server } = cluster;
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(operator, { client, clock }),
    });
  }

  /**
   * Starts a cluster with the operator and a Shop, in which the given versions have faults. The
   * Shop has version 1.0.0 unless `spec` has another one.
   */
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
    rig.process.start(crash);
    return rig;
  }

  /** Lets a number of seconds pass on the fake clock; a crashed operator process is restarted. */
  async pass(seconds: number): Promise<void> {
    await this.process.advance(seconds * 1000, async () => this.#check(await this.cluster.pods()));
  }

  /**
   * Lets time pass until the upgrade of the Shop to a version has succeeded or was rolled back;
   * returns the Shop eight seconds later. Throws an error after 600 seconds.
   */
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

  /**
   * Updates the schema version after migrations that succeeded. Checks that no pod serves with a
   * schema of another version or during a migration, and that at most one pod migrates.
   */
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}
