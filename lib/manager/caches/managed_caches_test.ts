import assert from "node:assert/strict";
import { systemClock, systemRandom } from "@xca/apimachinery/base";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { ManagedCaches } from "./managed_caches.ts";

/**
 * Starts caches with an informer of ConfigMaps that an operator uses. Requests for Secrets wait for
 * the call of `listSecrets`.
 */
async function startCaches() {
  const stack = new AsyncDisposableStack();
  const server = stack.use(await ApiServer.start());
  const held = Promise.withResolvers<void>();
  const client = stack.use(clientOf(server, {
    through: (fetch) => async (request) => {
      if (new URL(request.url).pathname.endsWith("/secrets")) await held.promise;
      return await fetch(request);
    },
  }));
  const caches = new ManagedCaches({
    client,
    choices: [],
    clock: systemClock,
    random: systemRandom,
  });
  const use = stack.use(caches.use());
  const first = use.informer(ConfigMap);
  const end = new AbortController();
  const running = caches.run(end.signal);
  stack.defer(async () => {
    end.abort();
    await running;
  });
  return {
    caches,
    use,
    first,
    listSecrets: held.resolve,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

Deno.test("the caches are ready when an informer that was acquired during their start is filled last", async () => {
  await using started = await startCaches();
  const { caches, use, first } = started;
  const late = use.informer(Secret);
  await first.whenSynced();
  assert(!late.synced);
  started.listSecrets();
  await late.whenSynced();
  await caches.ready;
});

Deno.test("the caches are ready when the last informer that was not filled is released", async () => {
  await using started = await startCaches();
  const { caches, first } = started;
  const late = caches.use();
  late.informer(Secret);
  await first.whenSynced();
  late[Symbol.dispose]();
  await caches.ready;
  started.listSecrets();
});

Deno.test("the caches are ready while an informer that only a read uses is not filled", async () => {
  await using started = await startCaches();
  const { caches, first } = started;
  using late = caches.acquire(Secret);
  await first.whenSynced();
  assert(!late.informer.synced);
  await caches.ready;
  started.listSecrets();
});
