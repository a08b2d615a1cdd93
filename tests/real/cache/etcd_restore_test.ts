/** etcd put back to an earlier state while informers run: what they hold must follow it. */
import assert from "node:assert/strict";
import { InformerFactory } from "../../../lib/cache/informer/informer_factory.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import type { Client } from "../../../lib/client/typed/client.ts";
import { ConfigMap } from "../../../lib/apimachinery/meta/builtin.ts";
import type { KubeObject } from "../../../lib/apimachinery/meta/object.ts";
import { compareResourceVersions } from "../../../lib/apimachinery/meta/resource_version.ts";
import { ControlPlane } from "../../../lib/testing/plane/control_plane.ts";
import { until } from "../../support/until.ts";
import { realTest } from "../suite.ts";

/** The number of objects, and of writes that are lost with the backup. */
const OBJECTS = 20;
const LOST_WRITES = 64;

async function apply(client: Client, name: string, value: string): Promise<void> {
  await client.patch(ConfigMap, `default/${name}`, {
    type: "apply",
    fieldManager: "test",
    force: true,
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } },
  });
}

/** Creations, updates and deletions. */
async function write(client: Client, count: number, value: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    if (n % 8 === 7) await client.delete(ConfigMap, `default/${value}${n - 4}`).catch(() => {});
    else await apply(client, n % 2 === 0 ? `n${n % OBJECTS}` : `${value}${n}`, `${value} ${n}`);
  }
}

function textOf(objects: readonly KubeObject[]): string {
  return objects.map((object) => {
    const { name, uid, resourceVersion } = object.metadata;
    return `${name} ${uid} ${resourceVersion} ${JSON.stringify((object as ConfigMapLike).data)}`;
  }).sort().join("\n");
}

interface ConfigMapLike extends KubeObject {
  readonly data?: Record<string, string>;
}

async function listed(
  client: Client,
): Promise<{ readonly text: string; readonly version: string }> {
  const { items, metadata } = await client.list(ConfigMap, { namespace: "default" });
  return { text: textOf(items), version: metadata.resourceVersion ?? "" };
}

for (const watchList of [true, false]) {
  const how = watchList ? "WatchList" : "LIST and WATCH";
  realTest(
    `F21 etcd restored from a backup under an informer, ${how}: the cache is rebuilt before the version is reached again`,
    async () => {
      await using plane = await ControlPlane.start();
      using client = createClient(plane.config);
      for (let n = 0; n < OBJECTS; n++) await apply(client, `n${n}`, "first");
      await assert.rejects(plane.restoreEtcd(), /Cannot restore etcd: there is no copy/);
      assert.equal((await listed(client)).text.split("\n").length, OBJECTS, "nothing is lost");
      await plane.backUpEtcd();

      const factory = new InformerFactory(client, {
        namespace: "default",
        reflector: { watchList, backoff: { initialMs: 50, maxMs: 200 } },
      });
      const informer = factory.informer(ConfigMap);
      const told = new Map<string, string>();
      informer.addHandler({
        onAdd: (object) => void told.set(object.key, textOf([object.read()])),
        onUpdate: (_old, object) => void told.set(object.key, textOf([object.read()])),
        onDelete: (object) => void told.delete(object.key),
      });
      const abort = new AbortController();
      factory.start(abort.signal);
      await factory.whenSynced(abort.signal);
      await write(client, LOST_WRITES, "lost");
      const before = await listed(client);
      const holds = async (text: string): Promise<boolean> =>
        textOf(await informer.lister.list()) === text &&
        [...told.values()].sort().join("\n") === text;
      await until(() => holds(before.text), "the informer holds what is listed");
      const { watches } = informer.health;

      await plane.restoreEtcd();
      const after = await listed(client);
      assert.ok(
        compareResourceVersions(after.version, before.version)! < 0,
        "the versions went back",
      );
      await until(
        () =>
          informer.health.watches > watches && informer.health.state === "watching" ||
          informer.health.rebuilds > 0,
        "the informer is back",
      );
      let { version } = after;
      while (compareResourceVersions(version, before.version)! <= 0) {
        await write(client, LOST_WRITES, "new");
        ({ version } = await listed(client));
      }
      await write(client, 8, "last");
      const { text } = await listed(client);
      await until(() => holds(text), "the informer and its handler hold what is listed");
      assert.equal(informer.health.rebuilds, 1);
      abort.abort();
    },
  );
}
