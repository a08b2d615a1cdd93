import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";
import { type Answer, jsonPatch, WebhookServer } from "./webhook_server.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;
type Sort = "mutating" | "validating";

const GROUP = "/apis/admissionregistration.k8s.io/v1";

const ANSWERS: Record<string, Answer> = {
  allow: () => ({ allowed: true }),
  deny: () => ({ allowed: false, status: { message: "not so" } }),
  bare: () => ({ allowed: false }),
  reason: () => ({ allowed: false, status: { reason: "Because" } }),
  teapot: () => ({
    allowed: false,
    status: {
      code: 418,
      reason: "Teapot",
      message: "short and stout",
      details: { causes: [{ message: "tea", field: "data" }] },
    },
  }),
  success: () => ({ allowed: false, status: { code: 200, status: "Success", message: "fine" } }),
  warn: () => ({ allowed: true, warnings: ["mind the gap", 'a "quoted" one'] }),
  missing: () => new Response("gone", { status: 404 }),
  broken: () => new Response("boom", { status: 500 }),
  text: () => new Response("no json"),
  uid: () => ({ uid: "other", allowed: true }),
  empty: ({ apiVersion }) => Response.json({ apiVersion, kind: "AdmissionReview" }),
  kind: ({ apiVersion, request: { uid } }) =>
    Response.json({ apiVersion, kind: "Other", response: { uid, allowed: true } }),
  label: () => jsonPatch({ op: "add", path: "/metadata/labels", value: { touched: "yes" } }),
  count: ({ request: { object } }) => {
    const count = Number(object.data?.count ?? 0) + 1;
    return jsonPatch({ op: "add", path: "/data", value: { ...object.data, count: `${count}` } });
  },
  mark: ({ request: { object } }) =>
    jsonPatch({
      op: "add",
      path: "/data",
      value: { ...object.data, marks: `${object.data?.marks ?? ""}m` },
    }),
  sidecar: ({ request: { object } }) =>
    jsonPatch({
      op: "add",
      path: "/spec/containers",
      value: [object.spec.containers[0], { name: "side", image: "envoy:1" }],
    }),
  same: ({ request: { object } }) =>
    jsonPatch({ op: "replace", path: "/metadata/name", value: object.metadata.name }),
  unfit: () => jsonPatch({ op: "remove", path: "/none/there" }),
  badType: () => jsonPatch({ op: "add", path: "/data", value: 5 }),
  badName: () => jsonPatch({ op: "add", path: "/data", value: { "no good": "x" } }),
  noType: () => ({ ...jsonPatch({ op: "add", path: "/data", value: {} }), patchType: undefined }),
  typeAlone: () => ({ allowed: true, patchType: "JSONPatch" }),
  otherType: () => ({ ...jsonPatch(), patch: btoa("[]x"), patchType: "Merge" }),
  noPatch: () => ({ allowed: true, patchType: "JSONPatch", patch: btoa("no json") }),
  probe: () => ({ allowed: false, status: { message: "in force" } }),
};

const rule = (resource: string, operation = "CREATE", more: Plain = {}): Plain => ({
  operations: [operation],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: [resource],
  ...more,
});

/** One webhook of a configuration; `path` is what it answers. */
interface Hook extends Plain {
  readonly path: string;
}

function configuration(
  t: Target,
  sort: Sort,
  server: WebhookServer,
  hooks: readonly Hook[],
): Plain {
  const full = [...hooks, { path: "probe", rules: [rule("limitranges")], name: "probe.test.dev" }];
  return {
    metadata: { name: t.unique("hooks") },
    webhooks: full.map(({ path, ...hook }, index) => ({
      name: `h${index}.${sort}.test.dev`,
      clientConfig: server.client(path),
      rules: [rule("configmaps")],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
      ...hook,
    })),
  };
}

/** Runs a part of a case while webhooks of a sort are in force. */
async function withHooks(
  t: Target,
  sort: Sort,
  hooks: (server: WebhookServer) => readonly Hook[],
  run: (server: WebhookServer) => Promise<void>,
): Promise<void> {
  await using server = await WebhookServer.start(ANSWERS);
  t.mask(/127\.0\.0\.1:\d{4,5}/g, "<webhook>");
  const path = `${GROUP}/${sort}webhookconfigurations`;
  const wanted = configuration(t, sort, server, hooks(server));
  const created = await t.post(path, wanted, { unrecorded: true });
  assert.equal(created.code, 201, JSON.stringify(created.body));
  try {
    await waitUntilInForce(t);
    server.asked.length = 0;
    await run(server);
  } finally {
    await t.delete(`${path}/${(wanted.metadata as Plain).name}`, undefined, { unrecorded: true });
  }
}

async function waitUntilInForce(t: Target): Promise<void> {
  await until(async () => {
    const probe = { metadata: { name: "probe" }, spec: { limits: [] } };
    const { body } = await t.post(t.path("limitranges?dryRun=All"), probe, { unrecorded: true });
    return String(body.message).includes("denied the request");
  }, "that the webhooks are in force");
}

const configMap = (data?: Plain): Plain => ({ metadata: { name: "a" }, ...(data && { data }) });

/** Defines a case: the outcome of the creation of a ConfigMap with webhooks. */
function creates(name: string, sort: Sort, ...hooks: readonly (string | Hook)[]): void {
  const all = hooks.map((hook) => typeof hook === "string" ? { path: hook } : hook);
  conformance(name, (t) =>
    withHooks(t, sort, () => all, async () => {
      await t.post(t.path("configmaps"), configMap({ x: "1" }));
    }));
}

const validating = (name: string, ...hooks: readonly (string | Hook)[]): void =>
  creates(`validating: ${name}`, "validating", ...hooks);
const mutating = (name: string, ...hooks: readonly (string | Hook)[]): void =>
  creates(`mutating: ${name}`, "mutating", ...hooks);

/** Records the questions that were asked. */
function recordQuestions(t: Target, server: WebhookServer): void {
  for (const { path, review } of server.asked) {
    // The rest is how a client makes itself known, and that differs between the servers.
    const { groups } = review.request.userInfo;
    review.request.userInfo = { groups };
    t.exchanges.push({ request: `WEBHOOK ${path}`, code: 200, body: review });
  }
}

// What a webhook answers.
validating("one that allows", "allow");
validating("one that denies", "deny");
validating("one that denies without a word", "bare");
validating("one that denies with a reason alone", "reason");
validating("one that denies with code, reason and causes", "teapot");
validating("one that denies with a success", "success");
validating("one that warns", "warn");
validating("one that is not found", "missing");
validating("one that breaks", "broken");
validating("one that answers to another question", "uid");
validating("one that answers nothing", "empty");
validating("one that answers another kind", "kind");
validating("one that patches", "label");
validating("one that denies is found after one that allows", "allow", "deny");
mutating("one that allows", "allow");
mutating("one that denies", "deny");
mutating("the first that denies decides", "teapot", "deny");
mutating("one that warns", "warn");
mutating("one that patches", "label");
mutating("one that patches nothing new", "same");
mutating("each sees what those before it did", "count", "count", "mark");
mutating("a patch that does not fit", "unfit");
mutating("a patch that makes no object of the kind", "badType");
mutating("a patch that makes an invalid object", "badName");
mutating("a patch without its type", "noType");
mutating("a type without a patch", "typeAlone");
mutating("a patch of another type", "otherType");
mutating("a patch that cannot be read", "noPatch");

// Failures.
const nowhere: Plain = { clientConfig: { url: "https://127.0.0.1:1/x" } };
validating("one that is not there fails the request", { path: "allow", ...nowhere });
validating("one that is not there is ignored", {
  path: "allow",
  ...nowhere,
  failurePolicy: "Ignore",
});
mutating("one that is not there fails the request", { path: "allow", ...nowhere });
mutating("one that breaks is ignored, and the next is asked", {
  path: "broken",
  failurePolicy: "Ignore",
}, "label");
validating("a denial is not ignored", { path: "deny", failurePolicy: "Ignore" });
validating("a service that is not there", {
  path: "allow",
  clientConfig: { service: { name: "none", namespace: "default", path: "/x" } },
});

// Whom it concerns.
validating("another resource", { path: "deny", rules: [rule("secrets")] });
validating("another operation", { path: "deny", rules: [rule("configmaps", "UPDATE")] });
validating("another version", {
  path: "deny",
  rules: [rule("configmaps", "CREATE", { apiVersions: ["v2"] })],
});
validating("the cluster alone", {
  path: "deny",
  rules: [rule("configmaps", "CREATE", { scope: "Cluster" })],
});
validating("namespaces alone", {
  path: "deny",
  rules: [rule("configmaps", "CREATE", { scope: "Namespaced" })],
});
validating("everything", { path: "deny", rules: [rule("*/*", "*")] });
validating("objects with labels", {
  path: "deny",
  objectSelector: { matchLabels: { a: "b" } },
});
validating("other namespaces", {
  path: "deny",
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "none" } },
});
validating("a condition that does not hold", {
  path: "deny",
  matchConditions: [{ name: "a", expression: "object.data.x == '2'" }],
});
validating("a condition that holds", {
  path: "deny",
  matchConditions: [
    { name: "a", expression: "object.data.x == '1' && request.operation == 'CREATE'" },
    { name: "b", expression: "request.userInfo.groups.exists(g, g == 'system:masters')" },
    { name: "c", expression: "oldObject == null && request.name == 'a'" },
  ],
});
validating("a condition that cannot be evaluated", {
  path: "allow",
  matchConditions: [{ name: "a", expression: "object.data.none == '2'" }],
});
validating("a condition that cannot be evaluated is ignored", {
  path: "deny",
  failurePolicy: "Ignore",
  matchConditions: [{ name: "a", expression: "object.data.none == '2'" }],
});
validating("a condition that does not hold beside one that cannot be evaluated", {
  path: "deny",
  matchConditions: [
    { name: "a", expression: "object.data.none == '2'" },
    { name: "b", expression: "false" },
  ],
});

// Reinvocation.
const IF_NEEDED = { reinvocationPolicy: "IfNeeded" };
mutating("one is called again when another changed the object after it", {
  path: "count",
  ...IF_NEEDED,
}, "mark");
mutating("one that never is called again", "count", "mark");
mutating("both are called again at most once", { path: "count", ...IF_NEEDED }, {
  path: "mark",
  ...IF_NEEDED,
});
conformance("a LimitRange sees the containers that a webhook adds", async (t) => {
  const spec = { limits: [{ type: "Container", default: { cpu: "1" } }] };
  await t.post(t.path("limitranges"), { metadata: { name: "l" }, spec });
  await withHooks(t, "mutating", () => [{ path: "sidecar", rules: [rule("pods")] }], async () => {
    const containers = [{ name: "c", image: "nginx:1.29" }];
    const { body } = await t.post(t.path("pods"), {
      metadata: { name: "a" },
      spec: { containers },
    });
    assert.deepEqual(body.spec.containers[1].resources.limits, { cpu: "1" });
  });
});

// Other operations.
conformance("an update and a deletion are denied", (t) =>
  withHooks(
    t,
    "validating",
    () => [{
      path: "deny",
      rules: [rule("configmaps", "UPDATE"), rule("configmaps", "DELETE")],
    }],
    async () => {
      await t.post(t.path("configmaps"), configMap());
      await t.patch("merge", t.path("configmaps/a"), { data: { x: "1" } });
      await t.put(t.path("configmaps/a"), configMap({ x: "1" }));
      await t.delete(t.path("configmaps/a"));
      await t.get(t.path("configmaps/a"));
    },
  ));
conformance("a binding, an eviction and a token are denied", (t) =>
  withHooks(
    t,
    "validating",
    () => [{ path: "deny", rules: [rule("pods/*"), rule("serviceaccounts/token")] }],
    async () => {
      const containers = [{ name: "c", image: "nginx:1.29" }];
      await t.post(t.path("pods"), { metadata: { name: "a" }, spec: { containers } });
      await t.post(t.path("serviceaccounts"), { metadata: { name: "a" } });
      const metadata = { name: "a" };
      await t.post(t.path("pods/a/binding"), { metadata, target: { kind: "Node", name: "n" } });
      const policy = { apiVersion: "policy/v1", kind: "Eviction", metadata };
      await t.post(t.path("pods/a/eviction"), policy);
      await t.post(t.path("serviceaccounts/a/token"), { spec: {} });
    },
  ));
conformance(
  "a binding is changed",
  (t) =>
    withHooks(t, "mutating", () => [{ path: "label", rules: [rule("pods/binding")] }], async () => {
      const containers = [{ name: "c", image: "nginx:1.29" }];
      await t.post(t.path("pods"), { metadata: { name: "a" }, spec: { containers } });
      const binding = { metadata: { name: "a" }, target: { kind: "Node", name: "n" } };
      await t.post(t.path("pods/a/binding"), binding);
      await t.get(t.path("pods/a"));
    }),
);
conformance("a deletion that a webhook patches", (t) =>
  withHooks(
    t,
    "mutating",
    () => [{ path: "unfit", rules: [rule("configmaps", "DELETE")] }],
    async () => {
      await t.post(t.path("configmaps"), configMap());
      await t.delete(t.path("configmaps/a"));
    },
  ));
conformance("a patch is changed by a webhook after it", (t) =>
  withHooks(
    t,
    "mutating",
    () => [{ path: "count", rules: [rule("configmaps", "UPDATE")] }],
    async () => {
      await t.post(t.path("configmaps"), configMap());
      await t.patch("merge", t.path("configmaps/a"), { data: { x: "1" } });
      await t.patch("apply", `${t.path("configmaps/a")}?fieldManager=m`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a" },
        data: { y: "2" },
      });
    },
  ));
conformance(
  "a dry run asks webhooks",
  (t) =>
    withHooks(t, "validating", () => [{ path: "deny", sideEffects: "NoneOnDryRun" }], async () => {
      await t.post(t.path("configmaps?dryRun=All"), configMap());
    }),
);
conformance("the status of an object is concerned by its own rule", (t) =>
  withHooks(
    t,
    "validating",
    () => [{ path: "deny", rules: [rule("services/status", "UPDATE")] }],
    async () => {
      await t.post(t.path("services"), {
        metadata: { name: "a" },
        spec: { ports: [{ port: 80 }] },
      });
      await t.patch("merge", t.path("services/a"), { metadata: { labels: { a: "b" } } });
      await t.patch("merge", t.path("services/a/status"), { metadata: { labels: { a: "c" } } });
    },
  ));
conformance(
  "a deletion of a collection is denied object by object",
  (t) =>
    withHooks(
      t,
      "validating",
      () => [{ path: "deny", rules: [rule("configmaps", "DELETE")] }],
      async () => {
        await t.post(t.path("configmaps"), configMap());
        await t.delete(t.path("configmaps?labelSelector=!none&fieldSelector=metadata.name=a"));
        await t.get(t.path("configmaps/a"));
      },
    ),
);

// The question.
conformance("what a webhook is asked", (t) =>
  withHooks(
    t,
    "validating",
    () => [{ path: "allow", rules: [rule("configmaps", "*")] }],
    async (server) => {
      await t.post(`${t.path("configmaps")}?fieldManager=m`, configMap({ x: "1" }));
      await t.put(`${t.path("configmaps/a")}?fieldManager=m`, configMap({ x: "2" }));
      await t.delete(t.path("configmaps/a"), { propagationPolicy: "Background" });
      recordQuestions(t, server);
    },
  ));
conformance(
  "what a mutating webhook is asked",
  (t) =>
    withHooks(t, "mutating", () => [{ path: "label" }], async (server) => {
      await t.post(t.path("configmaps"), { metadata: { generateName: "a-" }, data: { x: "1" } }, {
        unrecorded: true,
      });
      recordQuestions(t, server);
    }),
);
conformance("the older form of the question", (t) =>
  withHooks(
    t,
    "validating",
    () => [{ path: "deny", admissionReviewVersions: ["v1beta1"] }],
    async (server) => {
      await t.post(t.path("configmaps"), configMap());
      recordQuestions(t, server);
    },
  ));

// Configurations.
conformance("a configuration is defaulted, and counts its changes", async (t) => {
  for (const sort of ["mutating", "validating"]) {
    const path = `${GROUP}/${sort}webhookconfigurations`;
    const name = t.unique(sort);
    const hook = {
      name: "a.test.dev",
      clientConfig: { service: { name: "none", namespace: "default" } },
      rules: [rule("none")],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const selector = { matchLabels: { "kubernetes.io/metadata.name": t.namespace } };
    const made = { metadata: { name }, webhooks: [{ ...hook, namespaceSelector: selector }] };
    await t.post(path, made);
    await t.patch("merge", `${path}/${name}`, { metadata: { labels: { a: "b" } } });
    await t.patch("json", `${path}/${name}`, [
      { op: "replace", path: "/webhooks/0/timeoutSeconds", value: 5 },
    ]);
    await t.put(`${path}/${name}`, made);
    await t.delete(`${path}/${name}`);
    await t.post(`${path}?dryRun=All`, { metadata: { name }, webhooks: [hook] });
  }
});

/** A case: webhooks that a configuration must not have. */
function refuses(name: string, ...hooks: readonly Plain[]): void {
  conformance(`a configuration: ${name}`, async (t) => {
    for (const sort of ["mutating", "validating"]) {
      for (const hook of hooks) {
        const whole = {
          name: "a.test.dev",
          clientConfig: { url: "https://127.0.0.1/x" },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          ...hook,
        };
        const { code } = await t.post(`${GROUP}/${sort}webhookconfigurations?dryRun=All`, {
          metadata: { name: t.unique("hooks") },
          webhooks: [whole],
        });
        assert.equal(code, 422);
      }
    }
  });
}

refuses("names", { name: "" }, { name: "a" }, { name: "a.b" }, { name: "A.b.c" });
refuses(
  "ways to a webhook",
  { clientConfig: {} },
  { clientConfig: { url: "http://a" } },
  { clientConfig: { url: "https://u@a/x?y=1#z" } },
  { clientConfig: { url: "https:///x" } },
  { clientConfig: { url: "https://a", service: { name: "a", namespace: "b" } } },
  { clientConfig: { service: { name: "", namespace: "" } } },
  { clientConfig: { service: { name: "a", namespace: "b", port: 70000 } } },
  { clientConfig: { service: { name: "a", namespace: "b", path: "x//y" } } },
);
refuses(
  "policies",
  { sideEffects: undefined },
  { sideEffects: "Some" },
  { failurePolicy: "Never" },
  { matchPolicy: "Fuzzy" },
  { timeoutSeconds: 0 },
  { timeoutSeconds: 31 },
);
refuses(
  "versions of the question",
  { admissionReviewVersions: [] },
  { admissionReviewVersions: ["v2"] },
  { admissionReviewVersions: ["v1", "v1"] },
  { admissionReviewVersions: ["V1", "v1"] },
);
refuses(
  "rules",
  { rules: [{}] },
  { rules: [rule("a", "READ")] },
  { rules: [rule("a", "CREATE", { operations: ["*", "CREATE"] })] },
  { rules: [rule("a", "CREATE", { apiGroups: ["*", "a"], apiVersions: ["*", ""] })] },
  { rules: [rule("a", "CREATE", { resources: ["*/*", "a"] })] },
  { rules: [rule("a", "CREATE", { resources: ["*", "a", ""] })] },
  { rules: [rule("a", "CREATE", { resources: ["a/*", "a/b", "*/b", "c/b"] })] },
  { rules: [rule("a", "CREATE", { scope: "All" })] },
);
refuses(
  "conditions",
  { matchConditions: [{ name: "a", expression: "object.x ==" }] },
  { matchConditions: [{ name: "a", expression: "1" }] },
  { matchConditions: [{ name: "a", expression: "params.x == 1" }] },
  { matchConditions: [{ name: "", expression: " " }] },
  { matchConditions: [{ name: "a b", expression: "true" }] },
  { matchConditions: [{ name: "a", expression: "true" }, { name: "a", expression: "true" }] },
);
refuses("selectors", {
  namespaceSelector: { matchLabels: { "a b": "c" } },
  objectSelector: { matchExpressions: [{ key: "a", operator: "Is" }] },
});
