import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url, {
  apiserverFlags: ["--endpoint-reconciler-type=lease", "--advertise-address=192.0.2.1"],
});

const UNRECORDED = { unrecorded: true };
const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const REVIEW = {
  kind: "SelfSubjectAccessReview",
  apiVersion: "authorization.k8s.io/v1",
  spec: { nonResourceAttributes: { path: "/", verb: "get" } },
};

/** Records what a case saw of an answer. */
function record(t: Target, request: string, { code }: Answer, body: unknown): void {
  t.exchanges.push({ request, code, body });
}

for (
  const path of [
    "/api",
    "/apis/apps/v1",
    "/api/v1/nodes",
    "/api/v1/nodes/nope",
    "/api/v1/namespaces",
  ]
) {
  for (const query of ["", "?pretty=true"]) {
    conformance(`what ends the body of ${path}${query}`, async (t) => {
      const answer = await t.get(`${path}${query}`, { unrecorded: true, asText: true });
      record(t, `GET ${path}${query}`, answer, (answer.body as string).endsWith("}\n"));
    });
  }
}

for (
  const path of [
    "/api/v1/nodes?timeout=5",
    "/api/v1/nodes?timeout=5x",
    "/api/v1/nodes?timeout=x",
    "/api/v1/nodes?timeout=-1s",
    "/api/v1/nodes?timeout=1h2.5m.5s",
    "/api/v1/nodes?timeout=",
    "/apis?timeout=1",
    "/openapi/v3?timeout=-",
    "/nowhere?timeout=1",
  ]
) {
  conformance(`a timeout: ${path}`, async (t) => {
    const answer = await t.get(path, UNRECORDED);
    record(t, `GET ${path}`, answer, answer.code === 400 && answer.body);
  });
}

conformance("a timeout of a watch is not read", async (t) => {
  await t.watch(t.path("configmaps?watch=1&timeoutSeconds=1&timeout=x"));
});

/** The names of the FlowSchema and of the level that an answer names by identity. */
async function flowOf(t: Target, { headers }: Answer): Promise<unknown[]> {
  const found = [];
  for (
    const [resource, header] of [
      ["flowschemas", "x-kubernetes-pf-flowschema-uid"],
      ["prioritylevelconfigurations", "x-kubernetes-pf-prioritylevel-uid"],
    ]
  ) {
    const { body } = await t.get(`${FLOW}/${resource}`, UNRECORDED);
    const uid = headers.get(header!);
    // deno-lint-ignore no-explicit-any
    found.push(body.items.find((item: any) => item.metadata.uid === uid)?.metadata.name ?? uid);
  }
  return found;
}

const FLOWS: Readonly<Record<string, Record<string, string>>> = {
  "the administrator": {},
  "a user": { "Impersonate-User": "jane" },
  "a node": { "Impersonate-User": "system:node:n", "Impersonate-Group": "system:nodes" },
  "kube-scheduler": { "Impersonate-User": "system:kube-scheduler" },
  "a service account": {
    "Impersonate-User": "system:serviceaccount:default:a",
    "Impersonate-Group": "system:serviceaccounts",
  },
  "a service account of the system": {
    "Impersonate-User": "system:serviceaccount:kube-system:a",
    "Impersonate-Group": "system:serviceaccounts",
  },
  "an anonymous user": {
    "Impersonate-User": "system:anonymous",
    "Impersonate-Group": "system:unauthenticated",
  },
};
for (const [who, headers] of Object.entries(FLOWS)) {
  for (
    const path of ["/healthz", "/api/v1/namespaces/kube-system/endpoints", "/api/v1/nodes/n/status"]
  ) {
    conformance(`the flow of ${who} at ${path}`, async (t) => {
      const answer = await t.get(path, { headers, ...UNRECORDED });
      record(t, `GET ${path}`, answer, await flowOf(t, answer));
    });
  }
}

conformance("the flow of a FlowSchema of one's own, until it is deleted", async (t) => {
  const name = t.unique("flow");
  const user = t.unique("user");
  await t.post(`${FLOW}/flowschemas`, {
    metadata: { name },
    spec: {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: "workload-high" },
      rules: [{
        subjects: [{ kind: "User", user: { name: user } }],
        nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/version*"] }],
      }],
    },
  }, UNRECORDED);
  const headers = { "Impersonate-User": user };
  const flow = async (path: string): Promise<unknown[]> => {
    const answer = await t.get(path, { headers, ...UNRECORDED });
    return await flowOf(t, answer);
  };
  for (let tries = 0; tries < 100; tries++) {
    if ((await flow("/version"))[0] === name) break;
  }
  record(t, "GET /version, /api", { code: 200 } as Answer, [
    await flow("/version"),
    await flow("/version/x"),
    await flow("/api"),
  ]);
  await t.delete(`${FLOW}/flowschemas/${name}`, undefined, UNRECORDED);
});

conformance("a FlowSchema says whether its priority level is there", async (t) => {
  const level = t.unique("level");
  const name = t.unique("flow");
  const spec = {
    matchingPrecedence: 60,
    priorityLevelConfiguration: { name: level },
    rules: [{
      subjects: [{ kind: "User", user: { name: t.unique("user") } }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/version"] }],
    }],
  };
  const path = `${FLOW}/flowschemas/${name}`;
  /** Waits until it says so, and records it. */
  const says = async (status: string): Promise<void> => {
    await until(async () => {
      const { body } = await t.get(path, UNRECORDED);
      return body.status?.conditions?.[0]?.status === status;
    }, `that Dangling of ${name} is ${status}`);
    await t.get(path);
  };
  await t.post(`${FLOW}/flowschemas`, { metadata: { name }, spec }, UNRECORDED);
  await says("True");
  const made = await t.post(`${FLOW}/prioritylevelconfigurations`, {
    metadata: { name: level },
    spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
  }, UNRECORDED);
  assert.equal(made.code, 201, JSON.stringify(made.body));
  await says("False");
  await t.delete(`${FLOW}/prioritylevelconfigurations/${level}`, undefined, UNRECORDED);
  await says("True");
  await t.delete(path, undefined, UNRECORDED);
});

conformance("rows of FlowSchemas stand in the order in which they are asked", async (t) => {
  const answer = await t.get(`${FLOW}/flowschemas`, { headers: { Accept: TABLE }, ...UNRECORDED });
  // deno-lint-ignore no-explicit-any
  const rows = answer.body.rows.map(({ cells }: any) => cells[0]);
  // Those of other cases come and go.
  record(t, `GET ${FLOW}/flowschemas`, answer, rows.filter((name: string) => !/^flow-/.test(name)));
});

for (const accept of [TABLE, `${TABLE},application/json`, "text/html", "application/json;as=X"]) {
  conformance(`a review for those who accept ${accept}`, async (t) => {
    const options = { headers: { Accept: accept }, unrecorded: true, asText: true };
    const answer = await t.post(REVIEWS, REVIEW, options);
    record(t, `POST ${REVIEWS}`, answer, answer.code === 201 || answer.body);
  });
}

conformance("a refusal for those who accept no form that there is", async (t) => {
  const headers = { Accept: "application/json;as=X;v=v1;g=meta.k8s.io" };
  await t.get("/api/v1/nodes/nope", { headers, asText: true });
});

for (
  const path of [
    "/api/v1/componentstatuses/etcd-0",
    "/api/v1/componentstatuses/nope",
    "/api/v1/componentstatuses?labelSelector=a",
    "/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0",
    "/api/v1/componentstatuses?fieldSelector=a%3Db",
    "/api/v1/componentstatuses?watch=1",
  ]
) {
  conformance(`component statuses: ${path}`, async (t) => {
    await t.get(path);
  });
}

conformance("component statuses as metadata", async (t) => {
  const headers = { Accept: METADATA_LIST };
  const answer = await t.get("/api/v1/componentstatuses", { headers, ...UNRECORDED });
  // They come in the order in which they answered.
  // deno-lint-ignore no-explicit-any
  const names = answer.body.items.map((item: any) => item.metadata.name).sort();
  record(t, "GET /api/v1/componentstatuses", answer, [answer.body.metadata, names]);
});

for (const name of ["healthz", "livez", "readyz"]) {
  conformance(`the checks of ${name}`, async (t) => {
    await t.get(`/${name}?verbose`);
    await t.get(`/${name}/poststarthook/rbac/bootstrap-roles`);
    await t.get(`/${name}/poststarthook`);
    await t.get(`/${name}?verbose&exclude=etcd&exclude=x`);
  });
}

conformance("the Service kubernetes has endpoints", async (t) => {
  t.managedFields = true;
  for (const prefix of ["/api/v1", "/apis/discovery.k8s.io/v1"]) {
    const resource = prefix === "/api/v1" ? "endpoints" : "endpointslices";
    const path = `${prefix}/namespaces/default/${resource}/kubernetes`;
    const answer = await t.get(path, UNRECORDED);
    const { subsets, ports, ...rest } = answer.body;
    // The address differs between servers.
    for (const port of subsets?.[0].ports ?? ports) assert.equal(typeof port.port, "number");
    record(t, `GET ${path}`, answer, rest);
  }
});

for (
  const path of [
    ...["", "/", "/x"].flatMap((end) =>
      ["/flagz", "/statusz", "/metrics", "/healthz", "/livez/ping", "/version"]
        .map((start) => start + end)
    ),
    ...["", "/", "/x"].flatMap((end) =>
      ["/openid/v1/jwks", "/.well-known/openid-configuration"].map((start) => start + end)
    ),
    "//",
    "/index.html",
    "/debug/pprof/",
    "/debug/flags/v",
    "/logs/",
    "/configz",
    "/openapi/v3/nope",
  ]
) {
  conformance(`the form of ${path} for those who accept this or that`, async (t) => {
    const accepts = ["*/*", "text/plain", "application/json", "application/yaml", "image/png"];
    for (const method of ["GET", "POST", "HEAD"]) {
      for (const accept of method === "GET" ? accepts : ["*/*"]) {
        const headers = { Accept: accept };
        const answer = await t.call(method, path, undefined, { headers, ...UNRECORDED });
        const type = answer.headers.get("content-type");
        const form = [type, answer.headers.get("x-content-type-options")];
        // Long lines of YAML are folded by kube-apiserver alone.
        const shown = answer.code > 300 && accept !== "application/yaml" && answer.body;
        record(t, `${method} ${path} (${accept})`, answer, [form, shown || ""]);
      }
    }
  });
}

for (const kind of ["Flagz", "Statusz"]) {
  for (
    const accept of [
      `application/json;g=config.k8s.io;v=v1beta1;as=${kind}`,
      `application/yaml;g=config.k8s.io;v=v1alpha1;as=${kind}`,
      `*/*;g=config.k8s.io;v=v1beta1;as=${kind}`,
      `application/json;g=config.k8s.io;v=v1;as=${kind}`,
      `text/plain;g=config.k8s.io;v=v1beta1;as=${kind}`,
      "application/json, text/*",
      " ",
    ]
  ) {
    conformance(`${kind} for those who accept ${accept}`, async (t) => {
      const path = `/${kind.toLowerCase()}`;
      const answer = await t.get(path, { headers: { Accept: accept }, ...UNRECORDED });
      const { body } = answer;
      const lines = (): string[] => {
        const names = body.split("\n").map((line: string) => line.replace(/[:=\s].*/, ""));
        return kind === "Statusz" ? names : names.slice(0, 3);
      };
      const { startTime: _, uptimeSeconds, goVersion: __, flags, ...rest } = Object(body);
      const cidr = flags?.["service-cluster-ip-range"] ?? "";
      const shown = typeof body === "string"
        ? lines()
        : { ...rest, cidr, up: typeof uptimeSeconds };
      record(t, `GET ${path}`, answer, [answer.headers.get("content-type"), shown]);
    });
  }
}
