import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, type KubeObject } from "@xca/apimachinery/meta";
import type { WatchOptions } from "../../client/calls/options.ts";
import { ApiError } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";
import type { WatchEvent } from "../../client/typed/watch_event.ts";
import { until } from "../../../tests/support/until.ts";
import { ApiServer, clientOf, FakeClock } from "../../testing/mod.ts";
import { watchObject } from "./changes.ts";

type Event = WatchEvent<KubeObject>;

const OBJECT = { type: ConfigMap, namespace: "default", name: "a" };
const added: Event = { type: "ADDED", object: { metadata: { name: "a", resourceVersion: "1" } } };
const bookmark: Event = { type: "BOOKMARK", object: { metadata: { resourceVersion: "2" } } };

/**
 * Watches an object by scripted watches, the last of which stays open, and returns the number of
 * changes that each has reported, and the options of each.
 */
async function follow(
  watches: readonly (readonly Event[] | Error)[],
): Promise<{ readonly changes: number[]; readonly asked: WatchOptions[] }> {
  const clock = new FakeClock();
  const stop = new AbortController();
  const changes: number[] = [];
  const asked: WatchOptions[] = [];
  async function* watch(_type: unknown, options: WatchOptions): AsyncGenerator<Event> {
    const step = watches[asked.length] ?? [];
    asked.push(options);
    changes.push(0);
    if (step instanceof Error) throw step;
    yield* step;
    if (asked.length < watches.length) return;
    const { promise, reject } = Promise.withResolvers<never>();
    options.signal!.addEventListener("abort", () => reject(options.signal!.reason));
    await promise;
  }
  const client = { watch } as unknown as Pick<Client, "watch">;
  const ports = { client, signal: stop.signal, clock, random: seededRandom(1) };
  const watching = watchObject(OBJECT, () => changes[changes.length - 1]!++, ports);
  await clock.advance(200_000);
  stop.abort();
  await watching;
  assert.equal(clock.pending, 0);
  return { changes, asked };
}

Deno.test("an object that was deleted between two watches is reported when the next watch begins", async () => {
  const { changes } = await follow([[added, bookmark, bookmark], [bookmark, bookmark], [bookmark]]);
  assert.deepEqual(changes, [1, 1, 1]);
});

Deno.test("a server that refuses initial events is asked without, and a watch that ends without an event reports a change", async () => {
  const refusal = new ApiError({ status: { code: 422, reason: "Invalid" } });
  const { changes, asked } = await follow([refusal, [added], [], []]);
  assert.deepEqual(asked.map(({ sendInitialEvents }) => sendInitialEvents ?? false), [
    true,
    false,
    false,
    false,
  ]);
  assert.deepEqual(changes, [0, 1, 1, 0]);
});

Deno.test("a watch of an object that an API server does not have reports a change at once", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const stop = new AbortController();
  let changes = 0;
  const ports = { client, signal: stop.signal, clock: new FakeClock(), random: seededRandom(1) };
  const watching = watchObject(OBJECT, () => changes++, ports);
  await until(() => changes === 1);
  await client.create(ConfigMap, { metadata: { name: "a" } });
  await until(() => changes === 2);
  stop.abort();
  await watching;
});
