/**
 * Tests of F44 with the helpers of a reconciler: an operator with a finalizer, children and a
 * status dies at any of its calls, any number of times, and ends in the state of one that never
 * died.
 */
import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import type { Client } from "../../client/typed/client.ts";
import { waitFor } from "../../client/subresources/wait.ts";
import { isNotFound } from "../../client/errors/api_error.ts";
import {
  type Condition,
  ConfigMap,
  CustomResourceDefinition,
  type KubeObject,
  resourceType,
  Secret,
  setSummary,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { finalize } from "../finalizer/finalize.ts";
import { reconcileOnce } from "../operator/reconcile_once.ts";
import { patchStatus } from "../status/patch_status.ts";
import { child, ChildSet } from "./child_set.ts";
import { childSource } from "./child_source.ts";

interface Site extends KubeObject {
  spec: { pages: string[]; secret?: boolean };
  status?: { pages: number; conditions?: Condition[] };
}

const Site = resourceType<Site>({
  group: "example.org",
  version: "v1",
  kind: "Site",
  plural: "sites",
});

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.example.org" },
  spec: {
    group: "example.org",
    names: { kind: "Site", plural: "sites" },
    scope: "Namespaced",
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }],
  },
};

const children = new ChildSet({
  name: "site-operator",
  parent: Site,
  types: [ConfigMap, Secret],
  desired: ({ metadata, spec }) => [
    ...spec.pages.map((page) =>
      child(ConfigMap, { metadata: { name: `${metadata.name}-${page}` }, data: { page } })
    ),
    ...spec.secret ? [child(Secret, { metadata: { name: metadata.name! } })] : [],
  ],
});

const now = new Date("2026-01-02T03:04:05Z");

function controllerWith(buckets: Set<string>): ControllerDefinition {
  return controllerFor(Site).owns(ConfigMap, childSource).owns(Secret, childSource)
    .reconcile(async (context) => {
      const found = context.cache.get(Site, context.key);
      if (!found) return;
      const site = await finalize(context, Site, found, {
        finalizer: "example.org/bucket",
        cleanup: ({ metadata }) => void buckets.delete(metadata.uid!),
      });
      if (!site) return;
      buckets.add(site.metadata.uid!);
      await children.reconcile(context, site);
      const { generation } = site.metadata;
      const conditions = setSummary(site.status?.conditions, { state: "Ready", reason: "Made" }, {
        now,
        ...(generation !== undefined && { generation }),
      });
      await patchStatus(context, Site, site, {
        pages: site.spec.pages.length,
        conditions: [...conditions],
      });
    });
}

/** The call of the operator at which a test kills its process. */
interface Crash {
  /** The number of the killing call among those that change something. */
  readonly at: number;
  /** Reports whether the server carries the killing call out before the process dies. */
  readonly when: "before" | "after";
}

/** A test cluster, and the operator's processes on it. */
class Stage implements Disposable {
  readonly buckets = new Set<string>();
  readonly admin: Client;
  readonly #server: ApiServer;
  readonly #controller = controllerWith(this.buckets);

  private constructor(server: ApiServer) {
    this.#server = server;
    this.admin = clientOf(server);
  }

  static async start(): Promise<Stage> {
    const server = await ApiServer.start();
    await server.seed([definition]);
    const stage = new Stage(server);
    const { name } = definition.metadata;
    await waitFor(stage.admin, CustomResourceDefinition, name, "condition=Established");
    return stage;
  }

  /** Runs a process of the operator; returns its number of writes, `undefined` when it crashed. */
  async process(crash?: Crash): Promise<number | undefined> {
    const death = new AbortController();
    let writes = 0;
    using client = clientOf(this.#server, {
      through: (fetch) => async (request) => {
        if (request.method === "GET") return await fetch(request);
        if (++writes !== crash?.at) return await fetch(request);
        if (crash.when === "after") await (await fetch(request)).body?.cancel();
        death.abort(new Error("the process died"));
        return await new Promise<Response>((_, reject) => reject(death.signal.reason));
      },
    });
    const { signal } = death;
    try {
      await reconcileOnce(this.#controller, "default/web", { client, signal });
      return writes;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Runs processes of the operator until one of them writes nothing: the object has converged. */
  async converge(crashes: readonly Crash[]): Promise<number> {
    let writes = 0;
    for (const crash of crashes) writes += await this.process(crash) ?? 0;
    for (let run = 0; run < 5; run++) {
      const last = await this.process();
      if (last === 0) return writes;
      writes += last ?? 0;
    }
    throw new Error("the object does not converge within five runs");
  }

  /** Returns the state that must be equal at the end of every history of crashes. */
  async end(): Promise<unknown> {
    const { admin } = this;
    const site = await admin.get(Site, "default/web").catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    const lists = await Promise.all(
      [ConfigMap, Secret].map((type) =>
        admin.list<KubeObject & { data?: unknown }>(type, {
          namespace: "default",
          labelSelector: "app.kubernetes.io/managed-by=site-operator",
        })
      ),
    );
    return {
      status: site?.status,
      finalizers: site?.metadata.finalizers,
      isBucketKept: this.buckets.has(site?.metadata.uid ?? ""),
      buckets: this.buckets.size,
      children: lists.flatMap(({ items }) =>
        items.map(({ kind, metadata, data }) => ({
          kind,
          name: metadata.name,
          data,
          isOwned: metadata.ownerReferences?.[0]?.uid === site?.metadata.uid,
        }))
      ),
    };
  }

  [Symbol.dispose](): void {
    this.admin[Symbol.dispose]();
    this.#server[Symbol.dispose]();
  }
}

/** The changes by a user, after each of which the operator's processes run. */
const changes: readonly ((admin: Client) => Promise<unknown>)[] = [
  (admin) =>
    admin.create(Site, {
      metadata: { name: "web" },
      spec: { pages: ["a", "b"], secret: true },
    }),
  async (admin) => {
    const site = await admin.get(Site, "default/web");
    await admin.update(Site, { ...site, spec: { pages: ["b", "c"] } });
  },
  async (admin) => {
    const map = await admin.get(ConfigMap, "default/web-c");
    await admin.update(ConfigMap, { ...map, data: { page: "defaced" } });
  },
  (admin) => admin.delete(Site, "default/web"),
];

/**
 * Plays all changes of the test; returns the state after each, and the writes that the operator
 * made for it.
 */
async function play(
  crashesOf: (change: number) => readonly Crash[],
): Promise<{ readonly ends: unknown[]; readonly writes: number[] }> {
  using stage = await Stage.start();
  const [ends, writes]: [unknown[], number[]] = [[], []];
  for (const [index, change] of changes.entries()) {
    await change(stage.admin);
    writes.push(await stage.converge(crashesOf(index)));
    // The children of the deleted object are left to the garbage collector.
    const end = await stage.end() as { children: unknown };
    ends.push(index === changes.length - 1 ? { ...end, children: [] } : end);
  }
  return { ends, writes };
}

Deno.test("F44 an operator with a finalizer, children and a status writes once per step, and dies at any write without harm", async () => {
  const whole = await play(() => []);
  // The finalizer, three children, the status; a child, two deletions, the status; a child; the finalizer.
  assert.deepEqual(whole.writes, [5, 4, 1, 1]);
  const [made, changed, repaired, deleted] = whole.ends as {
    children: { name: string; data?: { page: string } }[];
    buckets: number;
    finalizers?: string[];
  }[];
  assert.deepEqual(made!.children.map(({ name }) => name), ["web-a", "web-b", "web"]);
  assert.deepEqual(made!.finalizers, ["example.org/bucket"]);
  assert.deepEqual(changed!.children.map(({ name }) => name), ["web-b", "web-c"]);
  assert.equal(repaired!.children[1]!.data!.page, "c");
  assert.deepEqual([deleted!.buckets, deleted!.finalizers], [0, undefined]);
  for (const [change, writes] of whole.writes.entries()) {
    for (let at = 1; at <= writes; at++) {
      for (const when of ["before", "after"] as const) {
        const { ends } = await play((index) => index === change ? [{ at, when }] : []);
        assert.deepEqual(ends, whole.ends, `change ${change}, crash ${when} write ${at}`);
      }
    }
  }
});

Deno.test("F44 random sequences of crashes at any write lead to the same end", async () => {
  const { seed, random } = printedRandom();
  const pick = (limit: number): number => Math.floor(random.next() * limit);
  const whole = await play(() => []);
  for (let round = 0; round < 10; round++) {
    const crashes = changes.map(() =>
      Array.from({ length: pick(6) }, (): Crash => ({
        at: 1 + pick(5),
        when: pick(2) === 0 ? "before" : "after",
      }))
    );
    const { ends } = await play((index) => crashes[index]!);
    assert.deepEqual(ends, whole.ends, `seed ${seed}, round ${round}: ${JSON.stringify(crashes)}`);
  }
});
