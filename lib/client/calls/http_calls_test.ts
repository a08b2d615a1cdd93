import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import {
  never,
  refusal,
  scriptedFetch,
  stalled,
  type Step,
} from "../../../tests/client/scripted_fetch.ts";
import { countedSignal } from "../../../tests/support/counted_signal.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { ApiError, isTooManyRequests } from "../errors/api_error.ts";
import type { ClientConfig } from "../config/config.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { HttpCalls } from "./http_calls.ts";
import { sendBy } from "../transport/send.ts";
import type { RestRequest } from "./rest.ts";
import { IdleTimeoutError, UnreachableError } from "../errors/unreachable_error.ts";

const SERVER = "https://api.example";

function setUp(script: Step[], config: Partial<ClientConfig> = {}, credentials?: Credentials): {
  rest: HttpCalls;
  clock: FakeClock;
  requests: ReturnType<typeof scriptedFetch>["requests"];
  warnings: string[];
} {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const { fetch, requests } = scriptedFetch(...script);
  const rest = new HttpCalls({ server: SERVER, ...config }, {
    send: sendBy(fetch),
    clock,
    credentials,
    random: seededRandom(1),
    onWarning: (text) => warnings.push(text),
  });
  return { rest, clock, requests, warnings };
}

Deno.test("requestJson() sends path, query, body and User-Agent, and parses the answer", async () => {
  const { rest, requests } = setUp([Response.json({ a: 1 })], { server: `${SERVER}/k8s/c1` });
  using _ = rest;
  const answer = await rest.requestJson({
    method: "POST",
    path: "/api/v1/x",
    query: { one: 1, yes: true, absent: undefined, empty: "", many: ["a", "b c"] },
    body: { hello: "wörld" },
    headers: [["X-Y", "z"]],
  });
  assert.deepEqual(answer, { a: 1 });
  const [sent] = requests;
  assert.equal(
    sent!.url.href,
    `${SERVER}/k8s/c1/api/v1/x?one=1&yes=true&many=a&many=b+c`,
  );
  assert.equal(sent!.body, `{"hello":"wörld"}`);
  assert.equal(sent!.headers.get("content-type"), "application/json");
  assert.equal(sent!.headers.get("accept"), "application/json");
  assert.equal(sent!.headers.get("x-y"), "z");
  assert.match(
    sent!.headers.get("user-agent")!,
    /^xca-operator\/\d+\.\d+\.\d+ \(deno\/.+; .+\/.+\)$/,
  );
});

Deno.test("a configured User-Agent replaces the default one", async () => {
  const { rest, requests } = setUp([Response.json({})], { userAgent: "mine/1" });
  using _ = rest;
  await rest.requestJson({ path: "/" });
  assert.equal(requests[0]!.headers.get("user-agent"), "mine/1");
});

Deno.test("a refused path never reaches the network", async () => {
  const { rest, requests } = setUp([]);
  using _ = rest;
  await assert.rejects(rest.request({ path: "/a/../b" }), TypeError);
  assert.equal(requests.length, 0);
});

Deno.test("a request that HTTP cannot carry never reaches the network, and is not retried", async () => {
  const wrong: [RestRequest, Partial<ClientConfig>, RegExp][] = [
    [
      { path: "/x" },
      { userAgent: "me\r\nHost: evil" },
      /value of the header User-Agent has a char/,
    ],
    [{ path: "/x", headers: [["X-A", "\u{1f600}"]] }, {}, /value of the header X-A/],
    [{ path: "/x", headers: [["a b", "c"]] }, {}, /not a header's name: "a b"/],
    [{ path: "/x", method: "G T" }, {}, /not an HTTP method: "G T"/],
    [{ path: "/x", body: {} }, {}, /a GET has no body/],
  ];
  for (const [request, config, reason] of wrong) {
    const { rest, requests } = setUp([], config);
    using _ = rest;
    await assert.rejects(
      rest.requestText(request),
      (error: Error) => error.name === "TypeError" && reason.test(error.message),
    );
    assert.equal(requests.length, 0);
  }
});

Deno.test("a method in lower case is accepted", async () => {
  const { rest, requests } = setUp([Response.json({})]);
  using _ = rest;
  await rest.requestJson({ method: "patch", path: "/x", body: {} });
  assert.equal(requests[0]!.method, "PATCH");
});

Deno.test("a refusal is an ApiError with method, path and reason", async () => {
  const { rest } = setUp([refusal(404, { reason: "NotFound" })]);
  using _ = rest;
  await assert.rejects(rest.requestJson({ path: "/x" }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.method, error.path, error.code, error.reason, error.message],
      ["GET", "/x", 404, "NotFound", "refused with 404"],
    );
    return true;
  });
});

Deno.test("a redirect is not followed, and the error names its target", async () => {
  const { rest, requests } = setUp([
    new Response(null, { status: 307, headers: { Location: "https://evil.example/" } }),
  ]);
  using _ = rest;
  await assert.rejects(
    rest.requestJson({ path: "/x" }),
    /redirects GET \/x to https:\/\/evil\.example\/; redirects are not followed/,
  );
  assert.equal(requests.length, 1);
});

Deno.test("an answer that is not JSON is a DecodeError that names a page and quotes nothing else", async () => {
  const { rest } = setUp([new Response("<html><a>c4n4ry"), new Response('{"data": c4n4ry')]);
  using _ = rest;
  for (const begins of [/begins as a page does: <html>/, /it is not JSON/]) {
    await assert.rejects(
      rest.requestJson({ path: "/x" }),
      (error) =>
        error instanceof DecodeError && begins.test(error.message) &&
        !/c4n/.test(Deno.inspect(error, { depth: 9 })),
    );
  }
});

Deno.test("F02 no headers in time: a read is retried", async () => {
  const { rest, clock, requests } = setUp([never, Response.json({ ok: 1 })]);
  using _ = rest;
  const answer = rest.requestJson({ path: "/x" });
  await clock.advance(64_999);
  assert.equal(requests.length, 1);
  await clock.advance(1);
  await clock.advance(1_000);
  assert.deepEqual(await answer, { ok: 1 });
  assert.equal(requests.length, 2);
  assert.equal(clock.pending, 0);
});

Deno.test("F02 no headers in time: a write is not retried", async () => {
  const { rest, clock, requests } = setUp([never]);
  using _ = rest;
  const failed = assert.rejects(
    rest.requestJson({ method: "POST", path: "/x", body: {}, headersTimeoutMs: 500 }),
    (error) =>
      error instanceof UnreachableError &&
      /https:\/\/api\.example: no answer to POST \/x within 500 ms; .*kubectl/.test(error.message),
  );
  await clock.advance(500);
  await failed;
  assert.equal(requests.length, 1);
  assert.equal(clock.pending, 0);
});

Deno.test("F03 the deadline covers the body: a stalled read is retried, a stalled write fails", async () => {
  const { rest, clock, requests } = setUp([
    () => new Response(stalled(`{"ok"`)),
    Response.json({ ok: 1 }),
    () => new Response(stalled(`{"ok"`)),
  ]);
  using _ = rest;
  const answer = rest.requestJson({ path: "/x" });
  await clock.advance(65_000);
  await clock.advance(1_000);
  assert.deepEqual(await answer, { ok: 1 });
  const failed = assert.rejects(
    rest.requestJson({ method: "PUT", path: "/x", body: {} }),
    IdleTimeoutError,
  );
  await clock.advance(65_000);
  await failed;
  assert.equal(requests.length, 3);
  assert.equal(clock.pending, 0);
});

Deno.test("F03 the idle deadline counts from byte to byte, not over the whole body", async () => {
  let send: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
  const { rest, clock } = setUp([new Response(body)]);
  using _ = rest;
  const answer = rest.requestJson({ path: "/x" });
  for (const text of [`{"ok"`, ":", "1", "}"]) {
    await clock.advance(60_000);
    send!.enqueue(new TextEncoder().encode(text));
  }
  send!.close();
  assert.deepEqual(await answer, { ok: 1 });
});

Deno.test("the configured time-out bounds a call with its retries", async () => {
  const { rest, clock, requests } = setUp([refusal(429, { retryAfter: 1 }), never], {
    requestTimeoutMs: 5_000,
  });
  using _ = rest;
  const failed = assert.rejects(
    rest.requestJson({ path: "/x" }),
    (error) =>
      error instanceof UnreachableError && /no whole answer .* 5000 ms/.test(error.message),
  );
  await clock.advance(5_000);
  await failed;
  assert.equal(requests.length, 2);
  assert.equal(clock.pending, 0);
});

Deno.test("a retry beyond the time-out is not awaited: the refusal is returned at once", async () => {
  const { rest, clock } = setUp([refusal(429, { retryAfter: 20 })]);
  using _ = rest;
  await assert.rejects(rest.requestJson({ path: "/x", timeoutMs: 5_000 }), isTooManyRequests);
  assert.equal(clock.pending, 0);
});

Deno.test("F18 429 with Retry-After: a write is retried with its body after at least that time", async () => {
  const { rest, clock, requests } = setUp([refusal(429, { retryAfter: 2 }), Response.json({})]);
  using _ = rest;
  const answer = rest.requestJson({ method: "POST", path: "/x", body: { a: 1 } });
  await clock.advance(1_999);
  assert.equal(requests.length, 1);
  await clock.advance(1_001);
  await answer;
  assert.deepEqual(requests.map(({ body }) => body), [`{"a":1}`, `{"a":1}`]);
});

Deno.test("F18 retry: false returns the first refusal", async () => {
  const { rest, requests } = setUp([refusal(429, { retryAfter: 1 })]);
  using _ = rest;
  await assert.rejects(rest.requestJson({ path: "/x", retry: false }), isTooManyRequests);
  assert.equal(requests.length, 1);
});

Deno.test("F27 a write whose answer was lost is not sent again", async () => {
  const { rest, requests } = setUp([() => Promise.reject(new TypeError("connection reset"))]);
  using _ = rest;
  await assert.rejects(
    rest.requestJson({ method: "POST", path: "/x", body: {} }),
    UnreachableError,
  );
  assert.equal(requests.length, 1);
});

Deno.test("an error of a wrapped network passes unchanged, without a retry", async () => {
  class NotLeading extends Error {}
  const { rest, requests } = setUp([() => Promise.reject(new NotLeading())]);
  using _ = rest;
  await assert.rejects(rest.requestJson({ path: "/x" }), NotLeading);
  assert.equal(requests.length, 1);
});

Deno.test("an aborted call rejects with the reason while it waits for headers, body, or a retry", async () => {
  const scripts: Step[][] = [
    [never],
    [() => new Response(stalled("{"))],
    [refusal(429, { retryAfter: 9 })],
  ];
  for (const script of scripts) {
    const { rest, clock } = setUp(script);
    using _ = rest;
    const abort = new AbortController();
    const reason = new Error("enough");
    const failed = assert.rejects(rest.requestJson({ path: "/x", signal: abort.signal }), reason);
    await clock.settle();
    abort.abort(reason);
    await failed;
    assert.equal(clock.pending, 0);
  }
});

Deno.test("closing the client aborts calls in flight and refuses later ones", async () => {
  const { rest, clock } = setUp([never]);
  const failed = assert.rejects(rest.requestJson({ path: "/x" }), /the client is closed/);
  await clock.settle();
  rest[Symbol.dispose]();
  await failed;
  await assert.rejects(rest.requestJson({ path: "/x" }), /the client is closed/);
});

Deno.test("request() streams the body; leaving it half-read releases the deadline", async () => {
  const { rest, clock } = setUp([() => new Response(stalled("a", "b")), new Response(null)]);
  using _ = rest;
  const response = await rest.request({ path: "/logs" });
  const reader = response.body!.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "a");
  await reader.cancel();
  assert.equal((await rest.request({ path: "/empty" })).body, null);
  assert.equal(clock.pending, 0);
});

Deno.test("warnings of the server are reported once", async () => {
  const warn = (): Response => Response.json({}, { headers: { Warning: `299 - "old API"` } });
  const { rest, warnings } = setUp([warn(), warn()]);
  using _ = rest;
  await rest.requestJson({ path: "/x" });
  await rest.requestJson({ path: "/x" });
  assert.deepEqual(warnings, ["old API"]);
});

/** Creates test credentials whose token changes when the first is refused. */
function rotating(newer: boolean): Credentials & { told: number } {
  return {
    told: 0,
    headers() {
      return Promise.resolve([["Authorization", `Bearer ${newer ? this.told : 0}`]]);
    },
    onUnauthorized() {
      this.told++;
      return Promise.resolve(newer);
    },
  };
}

Deno.test("F52 401: the credentials are renewed, and the call is sent once more", async () => {
  const credentials = rotating(true);
  const script = [refusal(401), Response.json({ ok: 1 })];
  const { rest, requests } = setUp(script, {}, credentials);
  using _ = rest;
  assert.deepEqual(await rest.requestJson({ method: "POST", path: "/x", body: { a: 1 } }), {
    ok: 1,
  });
  assert.deepEqual(
    requests.map(({ headers, body }) => [headers.get("authorization"), body]),
    [["Bearer 0", `{"a":1}`], ["Bearer 1", `{"a":1}`]],
  );
});

Deno.test("F52 401 twice, or without newer credentials, rejects the call", async () => {
  for (const newer of [true, false]) {
    const credentials = rotating(newer);
    const { rest, requests } = setUp([refusal(401), refusal(401)], {}, credentials);
    using _ = rest;
    await assert.rejects(
      rest.requestJson({ path: "/x" }),
      (error) => error instanceof ApiError && error.code === 401,
    );
    assert.equal(requests.length, newer ? 2 : 1);
  }
});

Deno.test("credentials that a server repeats are hidden, renewed ones too", async () => {
  for (const renewed of [false, true]) {
    const tokens = renewed ? ["old-token", "new-token"] : ["new-token"];
    const credentials: Credentials = {
      headers: () => Promise.resolve([["Authorization", `Bearer ${tokens.shift()}`]]),
      onUnauthorized: () => Promise.resolve(renewed),
    };
    const echo = Response.json(
      { kind: "Status", apiVersion: "v1", status: "Failure", code: 403, message: "no new-token" },
      { status: 403 },
    );
    const { rest } = setUp(renewed ? [refusal(401), echo] : [echo], {}, credentials);
    using _ = rest;
    await assert.rejects(rest.requestJson({ path: "/x" }), (error) => {
      assert.ok(error instanceof ApiError && error.code === 403);
      assert.equal(error.message, "no REDACTED");
      return true;
    });
  }
});

Deno.test("F53 a call whose deadline passes while a plugin runs names the plugin", async () => {
  const credentials: Credentials = {
    headers: () => new Promise(() => {}),
    onUnauthorized: () => Promise.resolve(false),
  };
  const { rest, clock, requests } = setUp([], { requestTimeoutMs: 3_000 }, credentials);
  using _ = rest;
  const call = rest.requestJson({ path: "/x" });
  const said = assert.rejects(call, (error) => {
    assert.ok(error instanceof UnreachableError && error.neverSent);
    assert.match(error.message, /no credentials for GET \/x within 3000 ms; run .*plugin by hand/);
    return true;
  });
  await clock.advance(3_000);
  await said;
  assert.equal(requests.length, 0);
});

Deno.test("F04 calls leave no listener on a signal that outlives them", async () => {
  const refused = (): Response => refusal(429, { retryAfter: 1 });
  const { rest, clock } = setUp([Response.json({}), refused, Response.json({}), refusal(404)]);
  using _ = rest;
  const counted = countedSignal();
  const { signal } = counted.controller;
  await rest.requestJson({ path: "/x", signal });
  const second = rest.requestJson({ path: "/x", signal });
  await clock.advance(2_000);
  await second;
  await assert.rejects(rest.requestJson({ path: "/x", signal }));
  assert.equal(counted.listeners, 0);
});
