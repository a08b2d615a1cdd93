/** Connections whose other end is gone without a word, over real sockets. */
import assert from "node:assert/strict";
import { createClient } from "../lib/client/create_client.ts";
import { IdleTimeoutError } from "../lib/client/errors/unreachable_error.ts";
import { Pod } from "../lib/apimachinery/meta/builtin.ts";
import { FakeClock } from "../lib/testing/fake_clock.ts";
import { FaultProxy } from "../lib/testing/faults/fault_proxy.ts";
import { ScriptedServer } from "../lib/testing/scripted_server.ts";
import { until } from "./support/until.ts";

const EVENT = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';

for (const how of ["stall", "forget"] as const) {
  Deno.test(`F01 a proxy that stops passing bytes (${how}): a silent watch ends within a minute`, async () => {
    const asked: string[] = [];
    await using server = ScriptedServer.start(async (exchange) => {
      asked.push(exchange.request.path);
      if (!exchange.request.path.includes("watch")) {
        return await exchange.reply(200, { "content-type": "application/json" }, "{}");
      }
      await exchange.head(200);
      await exchange.write(EVENT);
    });
    await using proxy = FaultProxy.start({ target: server.url });
    const clock = new FakeClock();
    using client = createClient({ server: proxy.urlOf(server.url) }, { clock });
    const watch = await client.raw(Pod).watch({});
    const iterator = watch[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).value?.length, 1);
    await clock.advance(1_000);
    await until(() => asked.includes("/version"), "the first question");
    await clock.advance(1_000);

    proxy[how]();
    let endedMs: number | undefined;
    const startMs = clock.monotonicMs();
    const ended = assert.rejects(iterator.next(), IdleTimeoutError)
      .finally(() => endedMs = clock.monotonicMs());
    for (let n = 0; n < 60 && endedMs === undefined; n++) await clock.advance(1_000);
    await ended;
    assert.ok(endedMs! - startMs <= 60_000, `after ${endedMs! - startMs} ms`);
  });
}
