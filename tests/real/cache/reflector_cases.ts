/** The guarantees of a reflector on a real API server, with and without WatchList. */
import assert from "node:assert/strict";
import { createPacker } from "../../../lib/cache/packed/packer.ts";
import type { PackedObject } from "../../../lib/cache/packed/packed_object.ts";
import { listWatch } from "../../../lib/cache/watch/list_watch.ts";
import { Reflector } from "../../../lib/cache/reflector/reflector.ts";
import type { ReflectorOptions } from "../../../lib/cache/reflector/reflector_options.ts";
import type { ReflectorSink } from "../../../lib/cache/reflector/reflector_sink.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import type { Client } from "../../../lib/client/typed/client.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
} from "../../../lib/apimachinery/meta/builtin.ts";
import type { KubeObject, UnstructuredObject } from "../../../lib/apimachinery/meta/object.ts";
import { type ResourceType, resourceType } from "../../../lib/apimachinery/meta/resource_type.ts";
import { FaultProxy } from "../../../lib/testing/faults/fault_proxy.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import type { PlaneSuite } from "../suite.ts";

/** Records the calls of a reflector, and whether its versions ever decreased. */
class MapSink implements ReflectorSink<UnstructuredObject> {
  readonly state = new Map<string, PackedObject<UnstructuredObject>>();
  replaces = 0;
  wentBack = false;
  #newest = 0n;

  add(object: PackedObject<UnstructuredObject>): void {
    this.state.set(object.key, object);
    this.#note(object.resourceVersion);
  }
  update(object: PackedObject<UnstructuredObject>): void {
    this.add(object);
  }
  delete(object: PackedObject<UnstructuredObject>): void {
    this.state.delete(object.key);
    this.#note(object.resourceVersion);
  }
  replace(objects: Iterable<PackedObject<UnstructuredObject>>, resourceVersion: string): void {
    this.replaces++;
    this.state.clear();
    for (const object of objects) this.state.set(object.key, object);
    this.#note(resourceVersion);
  }
  bookmark(resourceVersion: string): void {
    this.#note(resourceVersion);
  }
  lastKnown(key: string): PackedObject<UnstructuredObject> | undefined {
    return this.state.get(key);
  }
  #note(resourceVersion: string): void {
    const version = BigInt(resourceVersion);
    if (version < this.#newest) this.wentBack = true;
    this.#newest = version;
  }
}

/** A namespace of its own, a way into it that can be broken, and a reflector behind that. */
class Scene implements AsyncDisposable {
  readonly sink = new MapSink();
  readonly proxy: FaultProxy;
  readonly reflector: Reflector<UnstructuredObject>;
  readonly #behind: Client;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    readonly direct: Client,
    readonly plane: Plane,
    readonly namespace: string,
    type: ResourceType<UnstructuredObject>,
    options: Partial<ReflectorOptions<UnstructuredObject>>,
  ) {
    this.proxy = FaultProxy.start({ target: plane.url });
    this.#behind = createClient({ ...plane.config, server: this.proxy.urlOf(plane.url) });
    this.reflector = new Reflector<UnstructuredObject>({
      listerWatcher: listWatch(this.#behind, type, { namespace }),
      sink: this.sink,
      packer: createPacker<UnstructuredObject>({ type }),
      type,
      backoff: { initialMs: 50, maxMs: 500 },
      ...options,
    });
  }

  start(): void {
    this.#running = this.reflector.run(this.#abort.signal);
  }

  create(name: string, data: Record<string, string> = {}): Promise<UnstructuredObject> {
    return this.direct.create(ConfigMap, {
      metadata: { name, namespace: this.namespace },
      data,
    });
  }

  async write(name: string, data: Record<string, string>): Promise<void> {
    await this.direct.patch(ConfigMap, `${this.namespace}/${name}`, {
      type: "merge",
      body: { data },
    });
  }

  async remove(name: string): Promise<void> {
    await this.direct.delete(ConfigMap, `${this.namespace}/${name}`);
  }

  /** Waits until the sink holds what a fresh list shows. */
  async untilEqual(): Promise<void> {
    const list = await this.direct.list(ConfigMap, { namespace: this.namespace });
    const expected = list.items.map(versionOf).sort();
    await until(() => {
      const seen = [...this.sink.state.values()].map((each) => versionOf(each.read())).sort();
      return seen.join() === expected.join();
    }, () => `the sink equals ${expected.length} objects ${JSON.stringify(this.reflector.health)}`);
    assert.equal(this.sink.wentBack, false, "versions never go back");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#running;
    this.#behind[Symbol.dispose]();
    this.direct[Symbol.dispose]();
    await this.proxy[Symbol.asyncDispose]();
  }
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata.name}@${metadata.resourceVersion}#${metadata.uid}`;
}

async function scene(
  plane: Plane,
  namespace: string,
  options: Partial<ReflectorOptions<UnstructuredObject>> = {},
  type: ResourceType<UnstructuredObject> = ConfigMap,
): Promise<Scene> {
  const client = createClient(plane.config);
  await client.create(Namespace, { metadata: { name: namespace } });
  return new Scene(client, plane, namespace, type, options);
}

/** Returns the number of times that the whole state was read. */
function wholes(scene: Scene): number {
  return scene.sink.replaces;
}

const Widget: ResourceType<UnstructuredObject> = resourceType({
  group: "reflector.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
});

/**
 * Adds the tests to a suite.
 *
 * @param streams Whether the server is one that answers WatchList.
 */
export function reflectorCases(suite: PlaneSuite, streams: boolean): void {
  const how = streams ? "WatchList" : "LIST and WATCH";

  suite.test(`B42 B53 B54 a sink is filled by ${how} and receives every change`, async (plane) => {
    await using on = await scene(plane, "follow", { pageSize: 2 });
    for (const name of ["a", "b", "c", "d", "e"]) await on.create(name);
    on.start();
    await on.untilEqual();
    assert.equal(wholes(on), 1);
    const { health } = on.reflector;
    assert.equal(health.lists, streams ? 0 : 1);
    assert.equal(health.watchLists, 1, "it is asked for in any case");
    await on.create("f");
    await on.write("a", { text: "changed – ünïcode" });
    await on.remove("b");
    await on.untilEqual();
    assert.equal(wholes(on), 1);
    assert.equal(health.state, "watching");
    assert.equal(health.failing, undefined);
  });

  suite.test(`F05 B55 B66 a watch cut at any byte resumes without loss (${how})`, async (plane) => {
    await using on = await scene(plane, "cuts");
    await on.create("steady");
    on.start();
    await on.untilEqual();
    const before = wholes(on);
    for (let round = 0; round < 15; round++) {
      on.proxy.cutAfter(round * 97 + 1, "open");
      await on.create(`r${round}`, { text: "x".repeat(round * 40) });
      await on.write("steady", { round: String(round) });
      if (round % 3 === 2) await on.remove(`r${round - 1}`);
      await on.untilEqual();
    }
    assert.equal(wholes(on), before, "a cut alone never reads everything again");
    assert.ok(on.reflector.health.restarts > 5);
  });

  suite.test(`F01 a silent peer is detected by the idle deadline, and the watch resumed (${how})`, async (plane) => {
    await using on = await scene(plane, "silent", { idleTimeoutMs: 2_000 });
    await on.create("a");
    on.start();
    await on.untilEqual();
    // What comes after the list comes by the watch: so that is open.
    await on.create("heard");
    await on.untilEqual();
    const before = wholes(on);
    on.proxy.stall();
    await on.create("b");
    await until(() => on.reflector.health.lastError?.kind === "idle", "the idle deadline");
    await on.proxy.resume();
    await on.untilEqual();
    assert.equal(wholes(on), before);
  });

  suite.test(`F17 an API server that is killed and restarted (${how})`, async (plane) => {
    await using on = await scene(plane, "restart");
    await on.create("a");
    on.start();
    await on.untilEqual();
    await plane.restartApiserver();
    await on.create("b");
    await on.remove("a");
    await on.untilEqual();
  });

  suite.test(`F07 F25 deleted, recreated and compacted while disconnected: one list corrects the sink (${how})`, async (plane) => {
    await using on = await scene(plane, "away");
    for (const name of ["kept", "deleted", "recreated"]) await on.create(name);
    on.start();
    await on.untilEqual();
    const before = wholes(on);
    await on.proxy.refuse();
    on.proxy.cutAll();
    await on.remove("deleted");
    await on.remove("recreated");
    await on.create("recreated");
    await plane.expireHistory();
    await on.create("later");
    await on.proxy.resume();
    await on.untilEqual();
    assert.equal(wholes(on), before + 1);
    assert.equal(on.sink.state.has("away/deleted"), false);
  });

  suite.test(`F29 a CRD that is installed late: failures are reported, then the sink syncs by itself (${how})`, async (plane) => {
    await using on = await scene(plane, "late", {}, Widget);
    on.start();
    await until(() => on.reflector.health.failing?.kind === "missing", "it is missing");
    await on.direct.create(CustomResourceDefinition, {
      metadata: { name: `${Widget.plural}.${Widget.group}` },
      spec: {
        group: Widget.group,
        scope: Widget.scope,
        names: { plural: Widget.plural, kind: Widget.kind },
        versions: [{
          name: Widget.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      },
    });
    await until(() => on.reflector.health.synced, "it is in sync");
    await on.direct.create(Widget, { metadata: { name: "w", namespace: "late" } });
    await until(() => on.sink.state.has("late/w"), "its object comes");
  });
}
