import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { ApiServer } from "../server.ts";

interface Logged extends Disposable {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  // deno-lint-ignore no-explicit-any -- the events are looked into
  events(): any[];
  readonly text: () => string;
}

async function logged(): Promise<Logged> {
  const clock = new FakeClock();
  let text = "";
  const server = await ApiServer.start({
    clock,
    random: seededRandom(1),
    controllers: false,
    audit: (line) => void (text += line),
  });
  return {
    server,
    clock,
    text: () => text,
    events: () => text.trim().split("\n").map((line) => JSON.parse(line)),
    [Symbol.dispose]: () => server[Symbol.dispose](),
  };
}

function request(path: string, init: RequestInit = {}): Request {
  return new Request(`https://embedded.invalid${path}`, init);
}

Deno.test("the audit log records a WebSocket watch as a protocol switch", async () => {
  using log = await logged();
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  const watch = request("/api/v1/namespaces?watch=1&resourceVersion=0", { headers });
  const answer = await log.server.fetch(watch);
  assert.equal(answer.status, 200); // The front turns this response into a WebSocket.
  await answer.body!.cancel();
  await log.clock.settle();
  assert.deepEqual(
    log.events().map(({ stage, responseStatus }) => `${stage} ${responseStatus.code}`),
    ["ResponseStarted 101", "ResponseComplete 101"],
  );
});

Deno.test("the audit log has one line per request with user, verb, object and outcome", async () => {
  using log = await logged();
  await log.server.fetch(
    request("/api/v1/namespaces/default/configmaps?fieldManager=me", {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "kubectl/v1" },
      body: JSON.stringify({ metadata: { name: "a" } }),
    }),
    { user: { name: "jane", groups: ["system:masters"] }, address: "127.0.0.1" },
  );
  const [event] = log.events();
  assert.match(event.auditID, /^[0-9a-f-]{36}$/);
  assert.deepEqual({ ...event, auditID: "" }, {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: "",
    stage: "ResponseComplete",
    requestURI: "/api/v1/namespaces/default/configmaps?fieldManager=me",
    verb: "create",
    user: { username: "jane", groups: ["system:masters"] },
    sourceIPs: ["127.0.0.1"],
    userAgent: "kubectl/v1",
    objectRef: { resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" },
    responseStatus: { metadata: {}, code: 201 },
    requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
    stageTimestamp: "2026-01-01T00:00:00.000000Z",
    annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
  });
});

Deno.test("the audit log records the reason of a refusal and the impersonated user", async () => {
  using log = await logged();
  const path = "/apis/apps/v1/namespaces/shop/deployments/a/status";
  await log.server.fetch(request(path, { headers: { "Impersonate-User": "bob" } }));
  const [event] = log.events();
  assert.equal(event.user.username, "system:admin");
  assert.deepEqual(event.impersonatedUser, { username: "bob", groups: ["system:authenticated"] });
  assert.deepEqual(event.objectRef, {
    resource: "deployments",
    namespace: "shop",
    name: "a",
    apiGroup: "apps",
    apiVersion: "v1",
    subresource: "status",
  });
  assert.equal(event.responseStatus.code, 403);
  assert.equal(event.responseStatus.reason, "Forbidden");
  assert.equal(event.annotations["authorization.k8s.io/decision"], "forbid");
});

Deno.test("the audit log records unauthenticated requests", async () => {
  using log = await logged();
  await log.server.fetch(request("/metrics"), {});
  const [event] = log.events();
  assert.deepEqual(event.user, {});
  assert.equal(event.verb, "get");
  assert.equal(event.objectRef, undefined);
  assert.equal(event.responseStatus.code, 401);
});

Deno.test("the audit log records the start and the end of a watch", async () => {
  using log = await logged();
  const stop = new AbortController();
  const answer = await log.server.fetch(
    request("/api/v1/configmaps?watch=true", { signal: stop.signal }),
  );
  assert.deepEqual(log.events().map(({ stage }) => stage), ["ResponseStarted"]);
  log.clock.step(1000);
  await answer.body!.cancel();
  await log.clock.settle();
  const [started, complete] = log.events();
  assert.equal(complete.stage, "ResponseComplete");
  assert.equal(complete.auditID, started.auditID);
  assert.equal(complete.stageTimestamp, "2026-01-01T00:00:01.000000Z");
  stop.abort();
});

Deno.test("the audit log contains no secrets and no tokens", async () => {
  using log = await logged();
  const secret = "c3VwZXItc2VjcmV0";
  const body = JSON.stringify({ metadata: { name: "s" }, data: { password: secret } });
  const headers = { "Content-Type": "application/json" };
  const path = "/api/v1/namespaces/default/secrets";
  await log.server.fetch(request(path, { method: "POST", headers, body }));
  await log.server.fetch(request(`${path}/s`));
  await log.server.fetch(request(path, { headers: { authorization: "Bearer very-secret-token" } }));
  const review = { spec: { token: "another-secret-token" } };
  await log.server.fetch(request("/apis/authentication.k8s.io/v1/tokenreviews", {
    method: "POST",
    headers,
    body: JSON.stringify(review),
  }));
  assert.equal(log.events().length, 4);
  assert.doesNotMatch(log.text(), new RegExp(`${secret}|secret-token`));
});
