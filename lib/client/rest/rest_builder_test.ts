import assert from "node:assert/strict";
import {
  refusal,
  type ScriptedFetch,
  scriptedFetch,
  stalled,
  type Step,
} from "../../../tests/client/scripted_fetch.ts";
import { Deployment, Namespace, Pod } from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { isGone, isNotFound } from "../errors/api_error.ts";
import { createClient } from "../create_client.ts";
import { applyPatch, mergePatch } from "../typed/patch.ts";
import { type RestClient, restClient } from "./rest_builder.ts";
import { IdleTimeoutError, UnreachableError } from "../errors/unreachable_error.ts";

function setUp(...script: Step[]): {
  rest: RestClient;
  requests: ScriptedFetch["requests"];
  clock: FakeClock;
} {
  const { fetch, requests } = scriptedFetch(...script);
  const clock = new FakeClock();
  const config = { server: "https://a.example", requestTimeoutMs: 10_000 };
  return { rest: restClient(createClient(config, { fetch, clock })), requests, clock };
}

const { rest } = setUp();

for (
  const [path, built] of [
    ["/api/v1/pods", rest.resource("pods")],
    ["/api/v1/pods", rest.resource(Pod)],
    [
      "/api/v1/namespaces/a/pods/b/log",
      rest.namespace("a").resource("pods").name("b").subresource("log"),
    ],
    ["/api/v1/namespaces/a", rest.resource(Namespace).name("a")],
    ["/apis/apps/v1/namespaces/a/deployments", rest.resource(Deployment).namespace("a")],
    ["/apis/batch/v1/jobs", rest.groupVersion("batch/v1").resource("jobs")],
    ["/api/v2/pods", rest.groupVersion("v2").resource("pods")],
    [
      "/api/v1/nodes/https%3An%3A10250/proxy/a%20b/c%3Fd%23e",
      rest.resource("nodes").name("https:n:10250").subresource("proxy", "a b", "c?d#e"),
    ],
    ["/healthz/ping", rest.path("/healthz/ping")],
  ] as const
) {
  Deno.test(`the builder's path is ${path}`, () => assert.equal(built.request.path, path));
}

for (const bad of ["", ".", "..", "a/b", "../x", "%2f", "%2e%2e", "a%00"]) {
  Deno.test(`21 the builder refuses ${JSON.stringify(bad)} as a part of a path at once`, () => {
    for (
      const step of [
        () => rest.namespace(bad),
        () => rest.resource(bad),
        () => rest.name(bad),
        () => rest.subresource("status", bad),
        () => rest.subresource(bad),
        () => rest.groupVersion(`${bad}/v1`),
        () => rest.groupVersion(`apps/${bad}`),
        () => rest.resource({ ...Pod, plural: bad }),
        () => rest.resource({ ...Pod, version: bad }),
        () => rest.path(`/a/${bad || "/"}?`),
      ]
    ) assert.throws(step, TypeError);
  });
}

for (
  const [why, built] of [
    ["neither a resource nor a path", rest],
    ["neither a resource nor a path", rest.namespace("a").name("b")],
    ["the subresource status of pods needs a name", rest.resource("pods").subresource("status")],
    ["cluster-scoped", rest.resource(Namespace).namespace("a")],
    ["the object b needs a namespace", rest.resource(Pod).name("b")],
    ["it has the path /version, and so no namespace", rest.path("/version").namespace("a")],
  ] as const
) {
  Deno.test(`the builder refuses to send when ${why}`, async () => {
    await assert.rejects(built.do(), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, new RegExp(`^Cannot build a request: .*${why}`));
      return true;
    });
  });
}

Deno.test("each step returns a new builder and leaves the old one unchanged", async () => {
  const { rest, requests } = setUp(
    Response.json({ a: 1 }),
    Response.json({ b: 2 }),
    Response.json({}),
  );
  const pods = rest.namespace("n").resource("pods").param("limit", 5);
  const selected = pods.labelSelector("app=web").fieldSelector("spec.nodeName=x").param("limit", 6);
  const one = pods.delete().name("a").param("limit", undefined)
    .body({ gracePeriodSeconds: 0 }).header("X-A", "1").header("X-A", "2");
  assert.deepEqual(await selected.do(), { a: 1 });
  assert.deepEqual(await one.do(), { b: 2 });
  await pods.do();
  assert.deepEqual(
    requests.map(({ method, url, body }) => [method, url.pathname, url.search, body]),
    [
      [
        "GET",
        "/api/v1/namespaces/n/pods",
        "?limit=6&labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dx",
        "",
      ],
      ["DELETE", "/api/v1/namespaces/n/pods/a", "", `{"gracePeriodSeconds":0}`],
      ["GET", "/api/v1/namespaces/n/pods", "?limit=5", ""],
    ],
  );
  assert.equal(requests[1]!.headers.get("x-a"), "1, 2");
  assert.equal(requests[2]!.headers.get("x-a"), null);
});

Deno.test("the verbs send their method; a patch its media type and manager", async () => {
  const { rest, requests } = setUp(...Array.from({ length: 6 }, () => Response.json({})));
  const pod = rest.namespace("n").resource(Pod).name("a");
  await pod.post().body({ x: 1 }).do();
  await pod.put().body("x: 1", "application/yaml").do();
  await pod.patch(mergePatch({ x: 1 })).do();
  await pod.patch(applyPatch({ x: 1 }, { fieldManager: "me", force: true })).do();
  await pod.verb("OPTIONS").do();
  await pod.get().header("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1").do();
  assert.deepEqual(
    requests.map(({ method, body, headers, url }) =>
      [method, headers.get("content-type"), body, url.search].join(" ").trimEnd()
    ),
    [
      'POST application/json {"x":1}',
      "PUT application/yaml x: 1",
      'PATCH application/merge-patch+json {"x":1}',
      'PATCH application/apply-patch+yaml {"x":1,"metadata":{"name":"a"},"apiVersion":"v1","kind":"Pod"} ' +
      "?fieldManager=me&force=true",
      "OPTIONS",
      "GET",
    ],
  );
  assert.equal(
    requests[5]!.headers.get("accept"),
    "application/json;as=Table;g=meta.k8s.io;v=v1",
  );
});

Deno.test("an apply sets the parameters that the patch has, and keeps the others", () => {
  const { rest } = setUp();
  const given = rest.resource(Pod).namespace("n").name("a")
    .params({ fieldManager: "me", force: true, dryRun: "All" });
  assert.deepEqual(given.patch(applyPatch({})).request.query, {
    fieldManager: "me",
    force: true,
    dryRun: "All",
  });
  const own = applyPatch({}, { fieldManager: "you", force: false });
  assert.deepEqual(given.patch(own).request.query, {
    fieldManager: "you",
    force: undefined,
    dryRun: "All",
  });
});

Deno.test("do(), text(), stream() and watch() reject with the server's refusal", async () => {
  const { rest } = setUp(...Array.from({ length: 4 }, () => refusal(404, { reason: "NotFound" })));
  const pods = rest.resource(Pod);
  await assert.rejects(pods.do(), isNotFound);
  await assert.rejects(pods.text(), isNotFound);
  await assert.rejects(pods.stream(), isNotFound);
  await assert.rejects(Array.fromAsync(pods.watch()), isNotFound);
});

Deno.test("text() and stream() return the body unchanged", async () => {
  const { rest } = setUp(new Response("one\ntwö\n"), new Response("bytes"), new Response(null));
  const log = rest.namespace("n").resource("pods").name("a").subresource("log");
  assert.equal(await log.text(), "one\ntwö\n");
  assert.equal(await new Response(await log.param("follow", true).stream()).text(), "bytes");
  assert.equal(await new Response(await log.stream()).text(), "");
});

Deno.test("timeout() bounds the whole call; a watch has no default", async () => {
  const pending = (): Promise<Response> => new Promise(() => {});
  const { rest, clock } = setUp(pending, new Response(stalled()));
  const pods = rest.resource(Pod);
  const call = pods.timeout(3_000).do();
  const rejected = assert.rejects(call, UnreachableError);
  await clock.advance(3_000);
  await rejected;
  const events = pods.watch();
  let ended = false;
  const first = events.next().finally(() => ended = true);
  await clock.advance(3_600_000);
  assert.equal(ended, false);
  const abort = assert.rejects(
    Promise.race([first, Promise.reject(new Error("still open"))]),
    /still open/,
  );
  await abort;
});

Deno.test("signal() ends a call, a stream and a watch", async () => {
  const { rest } = setUp(new Response(stalled("x")), new Response(stalled()));
  const abort = new AbortController();
  const pods = rest.resource(Pod).signal(abort.signal);
  const reader = (await pods.stream()).getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "x");
  const next = reader.read();
  const events = Array.fromAsync(pods.watch());
  const both = Promise.all([assert.rejects(next, /enough/), assert.rejects(events, /enough/)]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  abort.abort(new Error("enough"));
  await both;
  await assert.rejects(pods.do(), /enough/);
});

Deno.test("watch() yields decodable events, and rejects with the error of the server", async () => {
  const line = (type: string, object: unknown): string => JSON.stringify({ type, object }) + "\n";
  const pod = (name: string): unknown => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
  const { rest, requests } = setUp(
    new Response(
      line("ADDED", pod("a")) + "{broken\n\n" + line("MODIFIED", pod("b")) +
        line("ERROR", { apiVersion: "v1", kind: "Status", code: 410, reason: "Expired" }),
    ),
  );
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { type, object } of rest.resource(Pod).param("limit", 1).watch()) {
      seen.push(`${type} ${object.kind} ${object.metadata.name}`);
    }
  }, isGone);
  assert.deepEqual(seen, ["ADDED Pod a", "MODIFIED Pod b"]);
  assert.equal(requests[0]!.url.search, "?limit=1&watch=true");
});

Deno.test("leaving a watch closes its connection; idleTimeout() ends a silent one", async () => {
  let cancelled = false;
  const bytes = new TextEncoder().encode('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    cancel: () => void (cancelled = true),
  });
  const { rest, clock } = setUp(new Response(body), new Response(stalled()));
  for await (const _ of rest.resource(Pod).watch()) break;
  assert.equal(cancelled, true);
  const silent = assert.rejects(
    Array.fromAsync(rest.resource(Pod).idleTimeout(5_000).watch()),
    IdleTimeoutError,
  );
  await clock.advance(5_000);
  await silent;
});
