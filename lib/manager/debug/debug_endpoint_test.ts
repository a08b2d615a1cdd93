import assert from "node:assert/strict";
import { debugEndpoint } from "./debug_endpoint.ts";
import type { DebugQuery } from "./debug_source.ts";

const at = (path: string): Request => new Request(`https://localhost${path}`);

Deno.test("/debug: all sections in one report, one section under its name, the query for the sources", async () => {
  const asked: DebugQuery[] = [];
  const endpoint = debugEndpoint([
    { name: "queues", report: (query) => (asked.push(query), { xca: 3 }) },
    { name: "lease", report: () => "held" },
  ]);
  assert.deepEqual(await (await endpoint(at("/debug"))).json(), {
    queues: { xca: 3 },
    lease: "held",
  });
  const one = await endpoint(at("/debug/queues?controller=xca&key=default%2Fweb"));
  assert.deepEqual(await one.json(), { xca: 3 });
  assert.deepEqual(asked[1], { controller: "xca", key: "default/web" });
  assert.equal(one.headers.get("content-type"), "application/json");
});

Deno.test("/debug: a section that throws, or that JSON cannot represent, spoils no other", async () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const endpoint = debugEndpoint([
    { name: "broken", report: () => assert.fail("no state") },
    { name: "circular", report: () => circular },
    { name: "nothing", report: () => undefined },
    { name: "good", report: () => 1 },
  ]);
  const report = await (await endpoint(at("/debug"))).json();
  assert.match(report.broken.error, /^Cannot report broken: .*no state/);
  assert.match(report.circular.error, /^Cannot report circular: /);
  assert.equal(report.nothing, null);
  assert.equal(report.good, 1);
});

Deno.test("/debug: an unknown section names those that exist; two sources of one name are refused", async () => {
  const source = { name: "queues", report: () => 1 };
  const answer = await debugEndpoint([source])(at("/debug/queue"));
  assert.equal(answer.status, 404);
  assert.match((await answer.json()).error, /no section queue; it has queues/);
  assert.throws(() => debugEndpoint([source, source]), /two sources have one name/);
});
