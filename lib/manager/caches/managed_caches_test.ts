import assert from "node:assert/strict";
import { systemClock, systemRandom } from "@xca/apimachinery/base";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { ManagedCaches } from "./managed_caches.ts";

Deno.test("the caches are ready when an informer that was acquired during their start is filled last", async () => {
  await using server = await ApiServer.start();
  const held = Promise.withResolvers<void>();
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (new URL(request.url).pathname.endsWith("/secrets")) await held.promise;
      return await fetch(request);
    },
  });
  const caches = new ManagedCaches({
    client,
    choices: [],
    clock: systemClock,
    random: systemRandom,
  });
  using use = caches.use();
  const first = use.informer(ConfigMap);
  const end = new AbortController();
  const running = caches.run(end.signal);
  const late = use.informer(Secret);
  await first.whenSynced();
  assert(!late.synced);
  held.resolve();
  await late.whenSynced();
  await caches.ready;
  end.abort();
  await running;
});

Deno.test("the caches are ready when the last informer that was not filled is released", async () => {
  await using server = await ApiServer.start();
  const held = Promise.withResolvers<void>();
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (new URL(request.url).pathname.endsWith("/secrets")) await held.promise;
      return await fetch(request);
    },
  });
  const caches = new ManagedCaches({
    client,
    choices: [],
    clock: systemClock,
    random: systemRandom,
  });
  using use = caches.use();
  const first = use.informer(ConfigMap);
  const end = new AbortController();
  const running = caches.run(end.signal);
  const late = caches.use();
  late.informer(Secret);
  await first.whenSynced();
  late[Symbol.dispose]();
  await caches.ready;
  held.resolve();
  end.abort();
  await running;
});

Deno.test("the caches are ready while an informer that only a read uses is not filled", async () => {
  await using server = await ApiServer.start();
  const held = Promise.withResolvers<void>();
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (new URL(request.url).pathname.endsWith("/secrets")) await held.promise;
      return await fetch(request);
    },
  });
  const caches = new ManagedCaches({
    client,
    choices: [],
    clock: systemClock,
    random: systemRandom,
  });
  using use = caches.use();
  const first = use.informer(ConfigMap);
  const end = new AbortController();
  const running = caches.run(end.signal);
  using late = caches.acquire(Secret);
  await first.whenSynced();
  assert(!late.informer.synced);
  await caches.ready;
  held.resolve();
  end.abort();
  await running;
});
