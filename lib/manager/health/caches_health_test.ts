import assert from "node:assert/strict";
import { ApiServer } from "@xca/apiserver";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import { clientOf } from "../../testing/embedded_client.ts";
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
