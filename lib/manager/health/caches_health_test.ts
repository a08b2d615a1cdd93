import assert from "node:assert/strict";
import { ApiServer } from "@xca/apiserver";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import { createClient } from "../../client/create_client.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { informerMetrics } from "../metrics/informer_metrics.ts";
import { MetricsRegistry } from "../metrics/registry.ts";
import { cacheSyncCheck, watchHealthCheck } from "./health_check.ts";
import { healthServer } from "./health_server.ts";

const never = new AbortController().signal;

async function textOf(url: string): Promise<string> {
  const answer = await fetch(url);
  return `${answer.status} ${await answer.text()}`;
}

Deno.test("I30 /readyz fails until the caches sync; /healthz sends the API server nothing", async () => {
  using server = await ApiServer.start();
  const opened = Promise.withResolvers<void>();
  let requests = 0;
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      requests++;
      await opened.promise;
      return await fetch(request);
    },
  });
  await server.seed("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: default }");
  const factory = new InformerFactory(client);
  const configMaps = factory.informer(ConfigMap);
  factory.informer(Secret);
  const informers = () => factory.informers.map(({ informer }) => informer);
  await using health = healthServer({
    bindAddress: "127.0.0.1:0",
    ready: { caches: cacheSyncCheck(informers), watches: watchHealthCheck(informers) },
  });
  await health.setUp(never);
  const registry = new MetricsRegistry();
  informerMetrics(registry, informers);

  const stop = new AbortController();
  factory.start(stop.signal);
  assert.equal(
    await textOf(`${health.url}/readyz`),
    "500 [-]caches failed: not synced: configmaps.v1 (watchListing), secrets.v1 (watchListing)\n" +
      "[+]watches ok\nreadyz check failed\n",
  );
  assert.match(registry.text(), /^xca_informer_synced\{informer="configmaps.v1"\} 0$/m);
  const before = requests;
  assert.equal(await textOf(`${health.url}/healthz`), "200 ok");
  assert.equal(requests, before);

  opened.resolve();
  await factory.whenSynced();
  assert.equal(await textOf(`${health.url}/readyz`), "200 ok");
  const text = registry.text();
  const stored = configMaps.indexer.size;
  assert.match(text, /^xca_informer_synced\{informer="configmaps.v1"\} 1$/m);
  assert.match(text, /^xca_informer_store_bytes\{informer="configmaps.v1"\} [1-9]\d*$/m);
  assert.match(text, /^xca_informer_lag_seconds\{informer="secrets.v1"\} \S+$/m);
  assert.match(text, /^xca_informer_lists_total\{informer="secrets.v1"\} 1$/m);
  const [, objects] = /^xca_informer_objects\{informer="configmaps.v1"\} (\d+)$/m.exec(text)!;
  assert.equal(Number(objects), stored);
  stop.abort();
  await factory.done;
});

Deno.test("health: a watch that cannot come back fails the check with the cause; one that comes back passes", async () => {
  const clock = new FakeClock();
  const annotations = { "k8s.io/initial-events-end": "true" };
  const bookmark = {
    type: "BOOKMARK",
    object: { metadata: { resourceVersion: "1", annotations } },
  };
  const writers: WritableStreamDefaultWriter<string>[] = [];
  let isUp = true;
  const fetch = (): Promise<Response> => {
    if (!isUp) return Promise.reject(new TypeError("connection refused"));
    const stream = new TransformStream<string, string>();
    const writer = stream.writable.getWriter();
    writers.push(writer);
    writer.write(`${JSON.stringify(bookmark)}\n`).catch(() => {});
    return Promise.resolve(new Response(stream.readable.pipeThrough(new TextEncoderStream())));
  };
  using client = createClient({ server: "https://example.invalid" }, { fetch, clock });
  const factory = new InformerFactory(client, { clock, random: seededRandom(1) });
  const { health } = factory.informer(ConfigMap);
  const informers = () => factory.informers.map(({ informer }) => informer);
  const check = watchHealthCheck(informers, { clock, toleranceMs: 60_000 });
  const stop = new AbortController();
  factory.start(stop.signal);
  await factory.whenSynced();
  isUp = false;
  await writers[0]!.abort(new TypeError("connection reset")).catch(() => {});
  await clock.advance(59_000);
  assert(health.failing);
  assert.equal(await check(never), undefined);
  await clock.advance(2_000);
  assert.match(
    (await check(never))!,
    /^watches fail: configmaps\.v1 \(not heard for 61 s: .*connection refused/,
  );
  isUp = true;
  await clock.advance(60_000);
  assert.equal(await check(never), undefined);
  stop.abort();
  await factory.done;
});
