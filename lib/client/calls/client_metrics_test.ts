import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { createClient } from "../create_client.ts";
import type { Fetch } from "../transport/fetch.ts";
import type { ClientMetrics } from "./client_metrics.ts";

/** Returns a metrics provider that records each call as a line. */
function recorded(): { readonly lines: string[]; readonly metrics: ClientMetrics } {
  const lines: string[] = [];
  const metrics: ClientMetrics = {
    sent: ({ method, host, code, seconds, bytes }) =>
      lines.push(`sent ${method} ${host} ${code} in ${seconds} s, ${bytes} bytes`),
    received: (method, host, bytes) => lines.push(`received ${method} ${host} ${bytes}`),
    waited: (method, host, seconds) => lines.push(`waited ${method} ${host} ${seconds}`),
    retried: (method, host, code) => lines.push(`retried ${method} ${host} ${code}`),
  };
  return { lines, metrics };
}

const server = "https://api.example.org:6443";

Deno.test("client metrics: each try with its code, the retry, and the sizes of bodies", async () => {
  const { lines, metrics } = recorded();
  const clock = new FakeClock();
  let calls = 0;
  const busy = { status: 429, headers: { "retry-after": "1" } };
  const fetch: Fetch = () => {
    clock.step(250);
    const answer = calls++ === 0 ? new Response("{}", busy) : new Response('{"kind":"Pod"}');
    return Promise.resolve(answer);
  };
  using client = createClient({ server }, { fetch, metrics, clock });
  const read = client.requestJson({ path: "/version" });
  await clock.advance(2_000);
  await read;
  assert.deepEqual(lines, [
    "sent GET api.example.org:6443 429 in 0.25 s, 0 bytes",
    "retried GET api.example.org:6443 429",
    "sent GET api.example.org:6443 200 in 0.25 s, 0 bytes",
    "received GET api.example.org:6443 14",
  ]);
});

Deno.test("client metrics: a request without answer has the code <error>; bodies count in bytes", async () => {
  const { lines, metrics } = recorded();
  const fetch: Fetch = () => Promise.reject(new TypeError("connection refused"));
  using client = createClient({ server }, { fetch, metrics, clock: new FakeClock() });
  const map = { metadata: { namespace: "default", name: "ü" } };
  await assert.rejects(client.create(ConfigMap, map, { timeoutMs: 1 }));
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", ...map });
  const bytes = new TextEncoder().encode(body).length;
  assert.equal(lines[0], `sent POST api.example.org:6443 <error> in 0 s, ${bytes} bytes`);
});

Deno.test("client metrics: the wait for the rate limit", async () => {
  const { lines, metrics } = recorded();
  const clock = new FakeClock();
  const fetch: Fetch = () => Promise.resolve(Response.json({}));
  const rateLimit = { qps: 1, burst: 1 };
  using client = createClient({ server }, { fetch, metrics, clock, rateLimit });
  await client.requestJson({ path: "/version" });
  const second = client.requestJson({ path: "/version" });
  await clock.advance(1_000);
  await second;
  assert.deepEqual(lines.filter((line) => line.startsWith("waited")), [
    "waited GET api.example.org:6443 0",
    "waited GET api.example.org:6443 1",
  ]);
});
