/**
 * The subresources `proxy` of pods, Services and nodes. Both servers open their connections to pods by
 * CONNECT through an HTTP proxy: kube-apiserver by its egress selector, the embedded server by the
 * kubelet of a simulated node.
 *
 * @module
 */
import { PRETEND_ANNOTATION } from "../../../lib/apimachinery/meta/internal.ts";
import { PodPorts } from "../../../lib/cluster/kubelet/streams/pod_ports.ts";
import { ConnectProxy } from "../../support/network/connect_proxy.ts";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { CallOptions, Target } from "../target.ts";

/** The pages of the pods, by path. */
const PAGES: Readonly<Record<string, () => Response>> = {
  "/page": () =>
    html(
      '<!DOCTYPE html><HTML><Head><script src="/a.js">if (a<b) "</p>"</script></Head><!-- <a href="/c"> -->' +
        `<a class=x HREF='/b?c=d&amp;e#f'>b</a><img src="rel.png"/><a href="//other/x">o</a>` +
        '<a href="http://10.250.0.1:8080/same">s</a><form action="/x y/%2F"/><br/></HTML>',
    ),
  "/zipped": () => {
    const zipped = new Blob(['<a href="/z">z</a>']).stream()
      .pipeThrough(new CompressionStream("gzip"));
    const headers = { "Content-Type": "text/html", "Content-Encoding": "gzip" };
    return new Response(zipped, { headers });
  },
  "/text": () => new Response('<a href="/b">', { headers: { "Content-Type": "text/plain" } }),
  "/moved": () => moved("/there?a=b#c"),
  "/moved/slash": () => moved("/there/"),
  "/moved/relative": () => moved("there"),
  "/moved/same": () => moved("http://10.250.0.1:8080/there"),
  "/moved/other": () => moved("https://other.example/there"),
  "/moved/wrong": () => moved("http://[wrong/"),
  "/missing": () => new Response("not here\n", { status: 404 }),
  "/teapot": () => new Response("short and stout", { status: 418 }),
  "/empty": () => new Response(null, { status: 204 }),
  "/shared": () =>
    new Response("shared", {
      headers: {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "x",
        "Access-Control-Expose-Headers": "y",
        "X-Own": "z",
        "Set-Cookie": "a=b",
      },
    }),
};

function html(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

function moved(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to } });
}

/** The headers of a request that pods show. */
const SHOWN = ["content-type", "x-forwarded-uri", "x-own", "authorization", "cookie", "connection"];

async function echo(request: Request): Promise<Response> {
  const { pathname, search, protocol } = new URL(request.url);
  const page = PAGES[pathname];
  if (page) return page();
  const headers = SHOWN.map((name) => [name, request.headers.get(name)]).filter(([, value]) =>
    value
  );
  const target = `${protocol} ${pathname}${search}`;
  return Response.json({ method: request.method, target, headers, body: await request.text() });
}

const ports = new PodPorts(echo);
const folder = await Deno.makeTempDir({ prefix: "xca-egress-" });
const proxy = new ConnectProxy(`${folder}/proxy`, (address) => {
  const [, port] = /^10\.250\.0\.1:(\d+)$/.exec(address) ?? [];
  return port && ((streams) => ports.serve({ pod: undefined!, port: Number(port) }, streams));
});
Deno.test.afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await ports[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});
const config = `${folder}/config.json`;
await Deno.writeTextFile(
  config,
  JSON.stringify({
    apiVersion: "apiserver.k8s.io/v1beta1",
    kind: "EgressSelectorConfiguration",
    egressSelections: [{
      name: "cluster",
      connection: {
        proxyProtocol: "HTTPConnect",
        transport: { uds: { udsName: `${folder}/proxy` } },
      },
    }],
  }),
);
const conformance = conformanceSuite(import.meta.url, {
  apiserverFlags: [`--egress-selector-config-file=${config}`],
  keepsServers: true,
});

/** Creates a pod with an address; without an address the pod has no node either. */
async function makePod(t: Target, name: string, ip: string | undefined): Promise<void> {
  const unrecorded = { unrecorded: true };
  const node = t.unique("node");
  await t.post("/api/v1/nodes", {
    metadata: { name: node, annotations: { [PRETEND_ANNOTATION]: "true" } },
  }, unrecorded);
  await t.patch("merge", `/api/v1/nodes/${node}/status`, {
    status: {
      addresses: [{ type: "Hostname", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: proxy.port } },
    },
  }, unrecorded);
  await t.post(t.path("pods"), {
    metadata: { name, labels: { app: name } },
    spec: {
      ...(ip !== undefined && { nodeName: node }),
      containers: [{ name: "a", image: "a" }, {
        name: "b",
        image: "b",
        ports: [{ containerPort: 8080 }],
      }],
    },
  }, unrecorded);
  if (ip === undefined) return;
  await t.patch("merge", t.path(`pods/${name}/status`), {
    status: { phase: "Running", podIP: ip, podIPs: [{ ip }] },
  }, unrecorded);
}

/** Sends a request, and records headers of the response too. */
async function exchange(
  t: Target,
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<void> {
  const { headers } = await t.call(method, path, body, {
    asText: true,
    unfollowed: true,
    ...options,
  });
  const shown = [
    ...["location", "content-type", "x-own", "set-cookie", "cache-control"],
    ...["access-control-allow-origin", "access-control-expose-headers"],
  ].map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null);
  t.exchanges.push({ request: `HEADERS ${path}`, code: 200, body: Object.fromEntries(shown) });
}

conformance("a proxy forwards every method with its path, query and body", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
    const body = ["GET", "HEAD", "OPTIONS"].includes(method) ? undefined : "some text";
    await exchange(t, method, t.path("pods/a/proxy/x?q=1&q=2"), body, { type: "text/plain" });
  }
  const paths = [
    "",
    "?q=1",
    "/",
    "/?watch=true",
    "/x/",
    "/x//y",
    "/x%20y/%2F/%C3%A9",
    "/a:b@c!(d)*'+~",
  ];
  for (const path of paths) await exchange(t, "GET", t.path(`pods/a/proxy${path}`));
  await exchange(t, "POST", t.path("pods/a/proxy"), "text", { type: "text/plain" });
  await exchange(t, "GET", t.path("pods/a/proxy/x"), undefined, {
    headers: { Accept: "text/html", "X-Own": "b", Cookie: "c=d" },
  });
});

conformance("a proxy rewrites redirects and pages", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  for (const path of Object.keys(PAGES)) {
    await exchange(t, "GET", t.path(`pods/a/proxy${path}`));
    await exchange(t, "GET", t.path(`pods/http:a:8080/proxy${path}`));
  }
});

conformance("a proxy forwards to the port and by the scheme of the name", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  for (const id of ["a:80", "http:a:81", "https:a:82", ":a:83", "a:", "http:a:"]) {
    await exchange(t, "GET", t.path(`pods/${id}/proxy/x`));
  }
  for (const id of ["ftp:a:80", "a:b:c:d", ":80", "none", "none:80"]) {
    await exchange(t, "GET", t.path(`pods/${id}/proxy/x`));
  }
});

conformance("a proxy refuses dry runs and pods without a proper address", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  await makePod(t, "none", undefined);
  await makePod(t, "loop", "127.0.0.1");
  await makePod(t, "local", "169.254.1.1");
  for (const name of ["none", "loop", "local"]) {
    await exchange(t, "GET", t.path(`pods/${name}/proxy/x`));
  }
  await exchange(t, "POST", t.path("pods/a/proxy/x?dryRun=All"), "text", { type: "text/plain" });
  await exchange(t, "GET", t.path("pods/a/exec?dryRun=All&command=x"));
  await exchange(t, "GET", t.path("pods/gone/portforward?dryRun=All"));
});

conformance("a proxy forwards to the path that mutating admission chose", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  const unrecorded = { unrecorded: true };
  const group = "/apis/admissionregistration.k8s.io/v1";
  const metadata = { name: t.unique("policy") };
  const expression = '[JSONPatch{op: "add", path: "/path", value: "/chosen" + object.path}]';
  const policy = `${group}/mutatingadmissionpolicies`;
  const binding = `${group}/mutatingadmissionpolicybindings`;
  await t.post(policy, {
    metadata,
    spec: {
      reinvocationPolicy: "Never",
      matchConstraints: {
        resourceRules: [{
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["CONNECT"],
          resources: ["pods/proxy"],
        }],
      },
      mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
    },
  }, unrecorded);
  await t.post(binding, {
    metadata,
    spec: {
      policyName: metadata.name,
      matchResources: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
      },
    },
  }, unrecorded);
  try {
    await until(async () => {
      const { body } = await t.get(t.path("pods/a/proxy/x"), unrecorded);
      return body.target === "http: /chosen/x";
    }, "that the policy is in force");
    for (const path of ["/", "/x?q=1", "/x/../y//z/", "/moved"]) {
      await exchange(t, "GET", t.path(`pods/a/proxy${path}`));
    }
    await exchange(t, "POST", t.path("pods/a/proxy/x"), "text", { type: "text/plain" });
  } finally {
    for (const path of [binding, policy]) {
      await t.delete(`${path}/${metadata.name}`, undefined, unrecorded);
    }
  }
});

conformance("a proxy of a Service forwards to a ready endpoint", async (t) => {
  await makePod(t, "a", "10.250.0.1");
  await makePod(t, "other", "10.250.0.2");
  await t.post(t.path("services"), {
    metadata: { name: "s" },
    spec: {
      ports: [{ name: "web", port: 80 }, { name: "gone", port: 81 }, { name: "x", port: 82 }],
    },
  }, { unrecorded: true });
  const endpoint = (ip: string, pod: string | undefined, ready?: boolean): unknown => ({
    addresses: [ip],
    ...(ready !== undefined && { conditions: { ready } }),
    ...(pod && { targetRef: { kind: "Pod", namespace: t.namespace, name: pod } }),
  });
  const slice = async (name: string, port: string, endpoints: unknown[]): Promise<void> =>
    void await t.post(t.path("endpointslices", "discovery.k8s.io/v1"), {
      metadata: { name, labels: { "kubernetes.io/service-name": "s" } },
      addressType: "IPv4",
      ports: [{ name: port, port: 8080 }],
      endpoints,
    }, { unrecorded: true });
  await exchange(t, "GET", t.path("services/s:web/proxy/x"));
  await slice("one", "web", [
    endpoint("10.250.0.2", "other", false),
    endpoint("10.250.0.3", undefined, true),
    endpoint("10.250.0.4", "a", true),
    endpoint("10.250.0.1", "a"),
  ]);
  await slice("two", "gone", [endpoint("10.250.0.2", "other", false)]);
  await until(async () => {
    const { code } = await t.get(t.path("services/s:web/proxy/x"), { unrecorded: true });
    return code === 200;
  }, "that the Service has an endpoint");
  for (
    const id of ["s:web", "s:80", "http:s:web", "https:s:80", "s", "s:81", "s:82", "s:83", "s:none"]
  ) {
    await exchange(t, "GET", t.path(`services/${id}/proxy/x?y=z`));
  }
  for (const id of ["none", "none:80", "ftp:s:80"]) {
    await exchange(t, "GET", t.path(`services/${id}/proxy/x`));
  }
  await exchange(t, "POST", t.path("services/s:80/proxy/x"), "text", { type: "text/plain" });
});

conformance("a proxy of a node checks its name and address", async (t) => {
  const name = t.unique("node");
  for (const id of [name, `${name}:80`, `ftp:${name}:80`]) {
    await exchange(t, "GET", `/api/v1/nodes/${id}/proxy/healthz`);
  }
  await t.post("/api/v1/nodes", { metadata: { name } }, { unrecorded: true });
  await exchange(t, "GET", `/api/v1/nodes/${name}/proxy/healthz`);
  await t.patch("merge", `/api/v1/nodes/${name}/status`, {
    status: { addresses: [{ type: "InternalIP", address: "127.0.0.1" }] },
  }, { unrecorded: true });
  await exchange(t, "GET", `/api/v1/nodes/${name}:80/proxy/healthz`);
});
