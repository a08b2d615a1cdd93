import assert from "node:assert/strict";
import { request } from "node:https";
import { connect as connectTls } from "node:tls";
import { connect } from "node:net";
import { once } from "node:events";
import { CertificateAuthority, parseCertificate, type PemPair } from "@xca/apimachinery/pki";
import { configure, reset } from "@logtape/logtape";
import type { Host } from "@xca/apimachinery/base";
import type { RestCalls, RestRequest } from "../../client/calls/rest.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { operatorMetrics } from "../metrics/operator_metrics.ts";
import { MetricsRegistry } from "../metrics/registry.ts";
import { metricsServer, type MetricsServerOptions } from "./metrics_server.ts";
import { CheckedCertificate } from "@xca/apimachinery/serving";
import { until } from "../../../tests/support/until.ts";
import { selfSigned } from "./self_signed.ts";

const never = new AbortController().signal;

/** An API server that knows the tokens of jane, who may read /metrics, and of eve, who may not. */
class Reviews implements RestCalls {
  /** The kinds of the reviews that were sent. */
  readonly sent: string[] = [];
  /** The error that every review fails with. */
  failure: unknown;
  /** Reports whether the process may send reviews. */
  mayReview = true;

  requestJson<T>({ path, body }: RestRequest): Promise<T> {
    const { kind, spec } = body as { kind: string; spec: Record<string, unknown> };
    this.sent.push(kind);
    if (this.failure) return Promise.reject(this.failure);
    assert(path.endsWith(`/${kind.toLowerCase()}s`));
    return Promise.resolve({ status: this.#status(kind, spec) } as T);
  }

  #status(kind: string, spec: Record<string, unknown>): unknown {
    if (kind === "SelfSubjectAccessReview") return { allowed: this.mayReview };
    if (kind === "SubjectAccessReview") {
      const { path, verb } = spec["nonResourceAttributes"] as { path: string; verb: string };
      return { allowed: spec["user"] === "jane" && verb === "get" && path === "/metrics" };
    }
    const token = String(spec["token"]);
    const known = ["jane", "eve"].find((name) => token === `token-of-${name}`);
    return known ? { authenticated: true, user: { username: known, groups: ["g"] } } : {
      authenticated: false,
      error: "invalid bearer token",
    };
  }

  request(): Promise<Response> {
    return Promise.reject(new Error("not used"));
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends a request over TLS, without verification of the server. */
function get(
  url: string,
  options: { token?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { token, method, headers = {} } = options;
  const outgoing = request(url, {
    agent: false,
    rejectUnauthorized: false,
    ...(method && { method }),
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  }, (answer) => {
    let text = "";
    answer.on("data", (chunk) => text += chunk);
    answer.on("end", () => resolve({ status: answer.statusCode, text, headers: answer.headers }));
  });
  outgoing.on("error", reject);
  outgoing.end();
  return promise;
}

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly reviews: Reviews;
  readonly clock: FakeClock;
  readonly registry: MetricsRegistry;
}

/** Returns a metrics server that runs, and its dependencies. */
async function serve(options: Partial<MetricsServerOptions> = {}): Promise<Served> {
  const reviews = new Reviews();
  const clock = new FakeClock(new Date());
  const registry = new MetricsRegistry();
  const server = metricsServer({
    bindAddress: "127.0.0.1:0",
    registry,
    client: reviews,
    clock,
    ...options,
  });
  const stop = new AbortController();
  await server.setUp(never);
  const running = server.run(stop.signal);
  return {
    url: server.url!,
    port: server.port!,
    reviews,
    clock,
    registry,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

Deno.test("I30 metrics server: a user with the right reads the metrics over TLS; others are refused with the reason", async () => {
  await using served = await serve();
  const { url } = served;
  const read = await get(`${url}/metrics`, { token: "token-of-jane" });
  assert.equal(read.status, 200);
  assert.equal(read.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
  assert.match(read.text, /^process_resident_memory_bytes \d+$/m);
  const eve = await get(`${url}/metrics`, { token: "token-of-eve" });
  assert.equal(eve.status, 403);
  assert.match(eve.text, /denied for user eve: grant it get of the nonResourceURL \/metrics/);
  for (const headers of [{}, { authorization: "Basic abc" }, { authorization: "Bearer" }]) {
    const none = await get(`${url}/metrics`, { headers });
    assert.equal(none.status, 401);
    assert.equal(none.headers["www-authenticate"], "Bearer");
  }
  assert.equal((await get(`${url}/metrics`, { token: "other" })).status, 401);
  assert.equal((await get(`${url}/other`, { token: "token-of-jane" })).status, 404);
});

Deno.test("metrics server: decisions hold for a while, and are asked for once by requests at the same time", async () => {
  await using served = await serve();
  const { url, reviews, clock } = served;
  reviews.sent.length = 0;
  const read = (token: string): Promise<Answer> => get(`${url}/metrics`, { token });
  await Promise.all([1, 2, 3].map(() => read("token-of-jane")));
  assert.deepEqual(reviews.sent.splice(0), ["TokenReview", "SubjectAccessReview"]);
  clock.step(59_000);
  await read("token-of-jane");
  assert.deepEqual(reviews.sent.splice(0), []);
  clock.step(1_000);
  await read("token-of-jane");
  assert.deepEqual(reviews.sent.splice(0), ["TokenReview", "SubjectAccessReview"]);
  await read("token-of-eve");
  clock.step(30_000);
  await read("token-of-eve");
  const asked = ["TokenReview", "SubjectAccessReview", "SubjectAccessReview"];
  assert.deepEqual(reviews.sent.splice(0), asked);
});

Deno.test("I30 metrics server: a review that fails is answered with 503, is not kept, and its log has no token", async () => {
  await using served = await serve();
  const { url, reviews } = served;
  reviews.failure = new Error("connection refused for token-of-jane");
  const logged: string[] = [];
  const lines = { category: ["xca", "manager"], lowestLevel: "debug", sinks: ["lines"] } as const;
  await configure({
    reset: true,
    sinks: { lines: ({ message }) => void logged.push(message.join("")) },
    loggers: [{ ...lines, category: [...lines.category], sinks: [...lines.sinks] }],
  });
  const failed = await get(`${url}/metrics`, { token: "token-of-jane" });
  await reset();
  assert.equal(failed.status, 503);
  assert.doesNotMatch(failed.text, /connection refused/);
  assert.deepEqual(logged, [
    "Cannot check the access to /metrics: connection refused for <token>",
  ]);
  reviews.failure = undefined;
  assert.equal((await get(`${url}/metrics`, { token: "token-of-jane" })).status, 200);
});

Deno.test("metrics server: a process that may not send reviews is refused at the start, with the rule to add", async () => {
  const client = new Reviews();
  client.mayReview = false;
  const options = { bindAddress: "127.0.0.1:0", registry: new MetricsRegistry(), client };
  await using refused = metricsServer(options);
  await assert.rejects(
    refused.setUp(never),
    /may not create tokenreviews\.authentication\.k8s\.io; bind .* system:auth-delegator/,
  );
  client.failure = new Error("etcd is down");
  await using unknown = metricsServer(options);
  await unknown.setUp(never); // Whether the process has the right is not known.
});

Deno.test("metrics server: only GET is served; heads, bodies and slow clients are limited", async () => {
  await using served = await serve();
  const { url } = served;
  for (const method of ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
    const answer = await get(`${url}/metrics`, { method, token: "token-of-jane" });
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers["allow"], "GET");
  }
  assert.equal((await get(`${url}/metrics`, { token: "x".repeat(40_000) })).status, 431);
  await using impatient = await serve({ limits: { headerTimeoutMs: 50, handshakeTimeoutMs: 50 } });
  const { port } = impatient;
  const silent = connect(port, "127.0.0.1"); // No handshake.
  const slow = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
    slow.write("GET /metrics HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  });
  for (const socket of [silent, slow]) {
    socket.on("error", () => {});
    socket.resume();
  }
  await Promise.all([once(silent, "close"), once(slow, "close")]);
});

Deno.test("metrics server: without TLS there is no access check, and /debug is served on loopback alone", async () => {
  const debug = [{ name: "queues", report: () => ({ waiting: 1 }) }];
  await using served = await serve({ secure: false, debug });
  assert.match(served.url, /^http:/);
  assert.equal(
    (await fetch(`${served.url}/metrics`).then((answer) => answer.text())).length > 0,
    true,
  );
  const report = await fetch(`${served.url}/debug/queues`);
  assert.deepEqual(await report.json(), { waiting: 1 });
  assert.deepEqual(served.reviews.sent, []);
  // An address of the loopback that is not recognised as one, so that the test opens no port to others.
  const bindAddress = "[::ffff:127.0.0.1]:0";
  await using open = await serve({ secure: false, debug, bindAddress });
  const withheld = await fetch(`http://127.0.0.1:${open.port}/debug`);
  assert.equal(withheld.status, 403);
  assert.match(await withheld.text(), /serve it securely, or listen on loopback/);
});

Deno.test("metrics server: /debug is behind the access check, by its own path", async () => {
  await using served = await serve({ debug: [{ name: "queues", report: () => 1 }] });
  const refused = await get(`${served.url}/debug/queues`, { token: "token-of-jane" });
  assert.equal(refused.status, 403);
  assert.match(refused.text, /nonResourceURL \/debug\/queues/);
  assert.equal((await get(`${served.url}/debug`)).status, 401);
});

/** Files in memory. */
class Files implements Pick<Host, "readFile"> {
  readonly texts = new Map<string, string>();

  /** Writes a pair to the files `tls.crt` and `tls.key`. */
  write({ cert, key }: PemPair): void {
    this.texts.set("tls.crt", cert).set("tls.key", key);
  }

  readFile(path: string): Promise<Uint8Array> {
    const text = this.texts.get(path);
    if (text === undefined) return Promise.reject(new Deno.errors.NotFound(path));
    return Promise.resolve(new TextEncoder().encode(text));
  }
}

/** Returns the common name of the certificate that a server shows. */
async function shownName(port: number): Promise<string> {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  await once(socket, "close");
  return String(subject.CN);
}

Deno.test("metrics server: the files of the certificate are read again; a pair that does not match is not used", async () => {
  const authority = await CertificateAuthority.create("ca", new Date());
  const [first, second] = await Promise.all([
    authority.serving("first", ["localhost"], []),
    authority.serving("second", ["localhost"], []),
  ]);
  const host = new Files();
  host.write(first);
  const certificate = { certFile: "tls.crt", keyFile: "tls.key" };
  const registry = new MetricsRegistry();
  const { certificates: certificateMetrics } = operatorMetrics(registry);
  await using served = await serve({ host, certificate, certificateMetrics });
  const { clock, port } = served;
  assert.equal(await shownName(port), "first");
  const reads = async (total: number, errors: number): Promise<void> => {
    await clock.advance(10_000);
    const read = new RegExp(`^certwatcher_read_certificate_total ${total}$`, "m");
    const failed = new RegExp(`^certwatcher_read_certificate_errors_total ${errors}$`, "m");
    await until(() => read.test(registry.text()) && failed.test(registry.text()));
  };
  host.texts.set("tls.crt", second.cert); // The key follows later.
  await reads(2, 1);
  assert.equal(await shownName(port), "first");
  host.write(second);
  await reads(3, 1);
  await until(async () => await shownName(port) === "second");
  host.texts.clear();
  await reads(4, 2);
  assert.equal(await shownName(port), "second");
  const text = registry.text();
  assert.match(text, /^xca_certificate_rejected_total\{server="metrics"\} 1$/m);
  const { notAfter } = parseCertificate(second.cert);
  const expires = `xca_certificate_expiration_timestamp_seconds{server="metrics"}`;
  assert(text.includes(`\n${expires} ${notAfter.getTime() / 1000}\n`), text);
});

Deno.test("metrics server: an expired certificate is a problem of the server, as of a webhook server", async () => {
  const authority = await CertificateAuthority.create("ca", new Date());
  const host = new Files();
  host.write(await authority.serving("metrics", ["localhost"], []));
  const certificate = { certFile: "tls.crt", keyFile: "tls.key" };
  const clock = new FakeClock(new Date());
  const registry = new MetricsRegistry();
  const options = { bindAddress: "127.0.0.1:0", registry, client: new Reviews(), clock };
  await using server = metricsServer({ ...options, host, certificate });
  assert.equal(await server.check?.(never), undefined, "it does not listen yet");
  await server.setUp(never);
  assert.equal(await server.check?.(never), undefined);
  clock.step(400 * 86_400_000);
  assert.match(String(await server.check?.(never)), /^the certificate tls\.crt was valid until 20/);
  const plain = { bindAddress: "127.0.0.1:0", registry: new MetricsRegistry(), secure: false };
  await using insecure = metricsServer({ ...options, ...plain });
  await insecure.setUp(never);
  assert.equal(await insecure.check?.(never), undefined);
});

Deno.test("metrics server: a certificate that cannot be used is refused at the start, with its file", async () => {
  const host = new Files();
  const certificate = { certFile: "tls.crt", keyFile: "tls.key" };
  await assert.rejects(serve({ host, certificate }), /Cannot read tls\.crt: .*mount the secret/);
  const past = new Date("2020-01-01");
  const authority = await CertificateAuthority.create("ca", past);
  host.write(await authority.serving("old", [], []));
  await assert.rejects(
    serve({ host, certificate }),
    /Cannot use the certificate tls\.crt: it was valid until 2020-01-02/,
  );
});

Deno.test("metrics server: a self-signed certificate is replaced before it expires", async () => {
  const clock = new FakeClock(new Date("2026-01-01"));
  const certificate = new CheckedCertificate(selfSigned(), { server: "metrics", clock });
  const first = parseCertificate((await certificate.load(never)).cert);
  assert.deepEqual(first.notAfter, new Date("2026-01-31"));
  const { promise, resolve } = Promise.withResolvers<PemPair>();
  using _watch = certificate.watch(resolve);
  await clock.settle();
  clock.step(15 * 86_400_000);
  const next = parseCertificate((await promise).cert);
  assert.deepEqual(next.notAfter, new Date("2026-02-15"));
});

Deno.test("metrics server: the lag of the event loop is measured while the server runs", async () => {
  const served = await serve();
  const { clock, registry } = served;
  clock.step(3_000);
  assert.match(registry.text(), /^xca_event_loop_lag_seconds_count 3$/m);
  await served[Symbol.asyncDispose]();
  clock.step(3_000);
  assert.match(registry.text(), /^xca_event_loop_lag_seconds_count 3$/m);
});

Deno.test("F47 a server whose port is in use is refused with the port and the remedy; the first continues", async () => {
  await using first = await serve({ secure: false });
  const bindAddress = `127.0.0.1:${first.port}`;
  await assert.rejects(
    serve({ secure: false, bindAddress }),
    new RegExp(`Cannot serve on ${bindAddress}: another process uses the port; .* 0 to turn`),
  );
  assert.equal((await fetch(`${first.url}/other`).then(drop)).status, 404);
  await assert.rejects(
    serve({ bindAddress: "192.0.2.1:0" }),
    /^Error: Cannot serve on 192\.0\.2\.1:0: this machine does not have the address; choose another/,
  );
  await assert.rejects(serve({ bindAddress: ":70000" }), /Cannot listen on ":70000"/);
  await assert.rejects(serve({ bindAddress: "8443" }), /Cannot listen on "8443"/);
});

async function drop(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  return answer;
}

Deno.test("F47 a server that is set up or run twice, or stopped while it is set up, leaves nothing open", async () => {
  const client = new Reviews();
  const registry = new MetricsRegistry();
  const make = (bindAddress = "127.0.0.1:0"): ReturnType<typeof metricsServer> =>
    metricsServer({ bindAddress, registry, client });
  const twice = make();
  await twice.setUp(never);
  await assert.rejects(twice.setUp(never), /Cannot set up the metrics server twice/);
  const stop = new AbortController();
  const running = twice.run(stop.signal);
  await assert.rejects(twice.run(stop.signal), /Cannot run the metrics server: it runs/);
  stop.abort();
  await running;
  await assert.rejects(twice.run(stop.signal), /it was stopped/);

  const aborted = make();
  const abort = new AbortController();
  const settingUp = aborted.setUp(abort.signal);
  abort.abort(new Error("the manager stops"));
  await assert.rejects(settingUp, /the manager stops/);

  const disposed = make();
  const disposing = disposed.setUp(never);
  await disposed[Symbol.asyncDispose]();
  await assert.rejects(disposing, /was disposed while it was set up/);

  const off = make("0");
  await off.setUp(never);
  assert.equal(off.url, undefined);
  const ended = off.run(AbortSignal.abort());
  await ended;
});
