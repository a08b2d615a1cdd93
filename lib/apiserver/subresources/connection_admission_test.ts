import assert from "node:assert/strict";
import { ApiServer } from "../server.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const POD = "/api/v1/namespaces/default/pods/a";

interface Answer {
  readonly code: number;
  readonly message: string;
}

async function send(
  server: ApiServer,
  method: string,
  path: string,
  { body, headers }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await server.fetch(
    new Request(`https://server.invalid${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const { message = "" } = await response.json();
  return { code: response.status, message };
}

/** Starts a server with a pod `a`, a webhook for all connections, and what the webhook was asked. */
async function withWebhook(
  answer: Readonly<Record<string, unknown>>,
  // deno-lint-ignore no-explicit-any -- the request of a review.
  run: (server: ApiServer, asked: any[]) => Promise<void>,
  sort: "validating" | "mutating" = "validating",
): Promise<void> {
  // deno-lint-ignore no-explicit-any
  const asked: any[] = [];
  await using server = await ApiServer.start({
    controllers: false,
    callWebhook: ({ review }) => {
      // deno-lint-ignore no-explicit-any
      const { apiVersion, request } = review as any;
      asked.push(request);
      const response = { uid: request.uid, ...answer };
      return Promise.resolve({ apiVersion, kind: "AdmissionReview", response });
    },
  });
  const containers = ["main", "side"].map((name) => ({ name, image: "i" }));
  const pod = { metadata: { name: "a" }, spec: { containers } };
  await send(server, "POST", "/api/v1/namespaces/default/pods", { body: pod });
  const made = await send(server, "POST", `${ADMISSION}/${sort}webhookconfigurations`, {
    body: {
      metadata: { name: "hooks" },
      webhooks: [{
        name: "connections.test.dev",
        clientConfig: { url: "https://webhook.invalid/" },
        rules: [{
          operations: ["CONNECT"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["*/*"],
        }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      }],
    },
  });
  assert.equal(made.code, 201);
  await run(server, asked);
}

Deno.test("a webhook that denies a connection has the last word before the kubelet is asked", () =>
  withWebhook({ allowed: false, status: { code: 403, message: "no" } }, async (server, asked) => {
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket" };
    const requests = [
      ["POST", `${POD}/exec?command=ls`, {}],
      ["GET", `${POD}/exec?command=ls`, upgrade],
      ["POST", `${POD}/attach`, { Connection: "Upgrade", Upgrade: "SPDY/3.1" }],
      ["GET", `${POD}/portforward?ports=80`, upgrade],
      ["DELETE", `${POD}/proxy/x`, {}],
      ["PUT", "/api/v1/namespaces/default/services/s/proxy/", {}],
      ["GET", "/api/v1/nodes/n/proxy/healthz", {}],
    ] as const;
    for (const [method, path, headers] of requests) {
      const { code, message } = await send(server, method, path, { headers });
      assert.equal(code, 403, path);
      assert.match(message, /"connections\.test\.dev" denied the request: no/);
    }
    assert.deepEqual(asked.map(({ object }) => object.kind), [
      ...["PodExecOptions", "PodExecOptions", "PodAttachOptions", "PodPortForwardOptions"],
      ...["PodProxyOptions", "ServiceProxyOptions", "NodeProxyOptions"],
    ]);
    for (const { operation, oldObject, options, dryRun } of asked) {
      assert.deepEqual([operation, oldObject, options, dryRun], ["CONNECT", null, null, false]);
    }
  }));

Deno.test("a webhook sees the options of a connection, without the empty ones", () =>
  withWebhook({ allowed: true }, async (server, asked) => {
    const query = "command=ls&command=-l&stdin=true&stdout=0&tty=false&container=side";
    assert.equal((await send(server, "POST", `${POD}/exec?${query}`)).code, 400);
    await send(server, "POST", `${POD}/exec`);
    await send(server, "POST", `${POD}/portforward?ports=80,443&ports=8080`);
    await send(server, "GET", `${POD}/proxy`);
    await send(server, "GET", `${POD}/proxy/x//y/?path=/z`);
    const fields = asked.map(({ object: { kind: _, apiVersion, ...rest } }) => {
      assert.equal(apiVersion, "v1");
      return rest;
    });
    assert.deepEqual(fields, [
      { stdin: true, container: "side", command: ["ls", "-l"] },
      { command: null },
      { ports: [80, 443, 8080] },
      {},
      { path: "/x//y/" },
    ]);
  }));

Deno.test("a connection is opened with the options that a mutating webhook chose", () => {
  const patch = btoa(JSON.stringify([{ op: "add", path: "/container", value: "chosen" }]));
  return withWebhook({ allowed: true, patchType: "JSONPatch", patch }, async (server) => {
    const { code, message } = await send(server, "POST", `${POD}/exec?container=main`);
    assert.deepEqual([code, message], [400, "container chosen is not valid for pod a"]);
  }, "mutating");
});

Deno.test("a connection that the query describes wrongly is refused before webhooks are asked", () =>
  withWebhook({ allowed: true }, async (server, asked) => {
    for (const ports of ["http", "-1", "65536", "80,", ""]) {
      const { code, message } = await send(server, "POST", `${POD}/portforward?ports=${ports}`);
      assert.equal(code, 400);
      assert.match(message, /^cannot convert to \[\]int32: strconv\.ParseUint: parsing "/);
    }
    const { message } = await send(server, "POST", `${POD}/exec?command=ls&dryRun=All`);
    assert.equal(message, "dryRun is not supported");
    assert.equal(asked.length, 0);
  }));
