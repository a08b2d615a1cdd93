import assert from "node:assert/strict";
import { once } from "node:events";
import { ApiFront, openServerKeys } from "@xca/apiserver";
import { WebSocket } from "ws";
import { Pod, Service } from "@xca/apimachinery/meta";
import { until } from "../../../../tests/support/until.ts";
import { ApiServer, clientOf, expectObject } from "../../../testing/mod.ts";
import type { KubeletHandlers } from "./container_process.ts";

const CONTROLLERS = [
  "scheduler",
  "kubelet",
  "node-lifecycle-controller",
  "endpointslice-controller",
];

/** Starts a cluster whose pod `web` has the port 8080. */
async function servedPod(handlers: KubeletHandlers): Promise<ApiServer> {
  const server = await ApiServer.start({ controllers: CONTROLLERS, nodes: 1, handlers });
  await server.seed(`
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default, labels: { app: web } }
spec: { containers: [{ name: web, image: "web:1", ports: [{ containerPort: 8080 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { selector: { app: web }, ports: [{ name: http, port: 80, targetPort: 8080 }] }
`);
  await expectObject(server, Pod, "default/web", { status: { phase: "Running" } });
  return server;
}

async function ask(server: ApiServer, path: string, init: RequestInit = {}): Promise<Response> {
  return await server.fetch(new Request(`https://embedded.invalid/api/v1/${path}`, init));
}

async function textOf(server: ApiServer, path: string, init: RequestInit = {}): Promise<string> {
  const response = await ask(server, path, init);
  return `${response.status} ${await response.text()}`;
}

const echo: KubeletHandlers = {
  http: async (request, { pod, port }) => {
    const { pathname, search, protocol } = new URL(request.url);
    const facts = `${request.method} ${pathname}${search} of ${pod.metadata.name}:${port}`;
    return new Response(`${facts} ${protocol} ${await request.text()}`.trim());
  },
};

Deno.test("a pod answers HTTP requests through the API server", async () => {
  await using server = await servedPod(echo);
  const pod = "namespaces/default/pods/web";
  assert.equal(await textOf(server, `${pod}:8080/proxy/a?b=c`), "200 GET /a?b=c of web:8080 http:");
  assert.equal(await textOf(server, `${pod}/proxy/`), "200 GET / of web:8080 http:");
  assert.equal(
    await textOf(server, `https:web:9/proxy/`.replace(/^/, "namespaces/default/pods/")),
    "200 GET / of web:9 https:",
  );
  const put = { method: "PUT", body: "some text" };
  assert.equal(
    await textOf(server, `${pod}/proxy/x`, put),
    "200 PUT /x of web:8080 http: some text",
  );
  const { status, headers } = await ask(server, `${pod}/proxy?q=1`);
  assert.equal(status, 301);
  assert.equal(headers.get("location"), "/api/v1/namespaces/default/pods/web/proxy/?q=1");
});

Deno.test("a Service answers through one of its ready endpoints", async () => {
  await using server = await servedPod(echo);
  using client = clientOf(server);
  const service = "namespaces/default/services/web";
  await until(
    async () => (await textOf(server, `${service}:80/proxy/`)).startsWith("200 "),
    "the pod's endpoint",
  );
  for (const port of [":80", ":http"]) {
    assert.equal(await textOf(server, `${service}${port}/proxy/a`), "200 GET /a of web:8080 http:");
  }
  assert.match(await textOf(server, `${service}/proxy/a`), /no endpoints available for service/);
  assert.match(
    await textOf(server, `${service}:81/proxy/a`),
    /no service port 81 found for service/,
  );
  await client.delete(Service, "default/web");
  await client.delete(Pod, "default/web", { gracePeriodSeconds: 0 });
  assert.match(await textOf(server, `${service}:80/proxy/`), /^404 /);
});

Deno.test("a port that nothing listens on refuses connections", async () => {
  await using server = await servedPod({});
  const response = await ask(server, "namespaces/default/pods/web:8080/proxy/");
  assert.equal(response.status, 503);
  assert.match(
    (await response.json()).message,
    /^error trying to reach service: dial tcp 10\.244\.1\.\d+:8080: connect: connection refused$/,
  );
});

Deno.test("a function for connections answers HTTP requests too", async () => {
  const text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
  await using server = await servedPod({
    portForward: async ({ input, output }) => {
      for await (const _ of input) return await output(new TextEncoder().encode(text));
    },
  });
  assert.equal(await textOf(server, "namespaces/default/pods/web:1/proxy/"), "200 hello");
});

Deno.test("an error of the function is answered with status 500", async () => {
  await using server = await servedPod({
    http: () => {
      throw new Error("out of order");
    },
  });
  assert.equal(await textOf(server, "namespaces/default/pods/web/proxy/"), "500 out of order\n");
});

Deno.test("redirects and pages of a pod lead through the API server", async () => {
  await using server = await servedPod({
    http: (request) =>
      new URL(request.url).pathname === "/moved"
        ? new Response(null, { status: 302, headers: { Location: "/new?a=b" } })
        : new Response('<A HREF="/x">x</A><img src=rel/y>', {
          headers: { "Content-Type": "text/html; charset=utf-8" },
        }),
  });
  const pod = "namespaces/default/pods/web/proxy";
  const { headers } = await ask(server, `${pod}/moved`);
  assert.equal(headers.get("location"), `/api/v1/${pod}/new?a=b`);
  assert.equal(
    await textOf(server, `${pod}/`),
    `200 <a href="/api/v1/${pod}/x">x</A><img src="rel/y">`,
  );
});

Deno.test("a zipped page is zipped again for a client that takes it", async () => {
  await using server = await servedPod({
    http: () => {
      const page = new Blob(['<a href="/x">']).stream().pipeThrough(new CompressionStream("gzip"));
      const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
      return new Response(page, { headers });
    },
  });
  const pod = "namespaces/default/pods/web/proxy";
  const page = `<a href="/api/v1/${pod}/x">`;
  assert.equal(await textOf(server, `${pod}/`), `200 ${page}`);
  const { headers, body } = await ask(server, `${pod}/`, {
    headers: { "Accept-Encoding": "gzip" },
  });
  assert.equal(headers.get("content-encoding"), "gzip");
  const plain = body!.pipeThrough(new DecompressionStream("gzip"));
  assert.equal(await new Response(plain).text(), page);
});

Deno.test("a pod switches protocols through the API server", async () => {
  await using server = await servedPod({
    http: (request) => {
      if (!request.headers.has("upgrade")) return new Response("no upgrade", { status: 400 });
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.onmessage = ({ data }) => socket.send(`heard ${data}`);
      return response;
    },
  });
  const keys = await openServerKeys({ now: new Date(), hosts: ["127.0.0.1"] });
  await using front = await ApiFront.listen({
    keys,
    fetch: (request) => server.fetch(request),
  });
  const path = "api/v1/namespaces/default/pods/web:8080/proxy/talk";
  const socket = new WebSocket(`${front.url.replace("https", "wss")}/${path}`, {
    rejectUnauthorized: false,
  });
  await once(socket, "open");
  socket.send("hello");
  const [data] = await once(socket, "message");
  assert.equal(String(data), "heard hello");
  socket.close();
  await once(socket, "close");
});

Deno.test("a node answers with its kubelet", async () => {
  await using server = await servedPod({});
  assert.equal(await textOf(server, "nodes/node-1/proxy/healthz"), "200 ok");
  assert.match(await textOf(server, "nodes/node-1:80/proxy/healthz"), /address not allowed/);
});
