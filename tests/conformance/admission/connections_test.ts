/**
 * Admission of connections: webhooks and policies with the operation `CONNECT`. No kubelet is
 * behind the pods, so that an admitted connection fails with the reason why it is not opened.
 *
 * @module
 */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { as, grant } from "../access/access.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";
import { GROUP, type Plain, rule, valid } from "./policy_fixtures.ts";
import { type Answer, jsonPatch, WebhookServer } from "./webhook_server.ts";

const conformance = conformanceSuite(import.meta.url);

type Sort = "mutating" | "validating";

const ANSWERS: Record<string, Answer> = {
  allow: () => ({ allowed: true }),
  deny: () => ({ allowed: false, status: { message: "no connections" } }),
  bare: () => ({ allowed: false }),
  teapot: () => ({
    allowed: false,
    status: { code: 418, reason: "Teapot", message: "short and stout" },
  }),
  warn: () => ({ allowed: true, warnings: ["mind the gap"] }),
  broken: () => new Response("boom", { status: 500 }),
  container: () => jsonPatch({ op: "add", path: "/container", value: "patched" }),
  more: ({ request: { object } }) =>
    jsonPatch({ op: "add", path: "/container", value: `${object.container ?? ""}m` }),
  labels: () => jsonPatch({ op: "add", path: "/metadata/labels", value: { a: "b" } }),
  metadata: () => jsonPatch({ op: "add", path: "/metadata", value: { labels: { a: "b" } } }),
  unknown: () => jsonPatch({ op: "add", path: "/unknown", value: "x" }),
  badType: () => jsonPatch({ op: "add", path: "/command", value: 5 }),
  otherKind: () => jsonPatch({ op: "replace", path: "/kind", value: "PodAttachOptions" }),
  noCommand: () => jsonPatch({ op: "remove", path: "/command" }),
  probe: () => ({ allowed: false, status: { message: "in force" } }),
};

/** The rule of connections to subresources. */
const connects = (...resources: string[]): Plain => ({ ...rule("", "CONNECT"), resources });

/** A webhook of a configuration; the answer of the webhook depends on `path`. */
interface Hook extends Plain {
  readonly path: string;
}

/** The `spec` of a policy beside its constraints, and the rules. */
interface Policy {
  readonly spec: Plain;
  readonly rules?: readonly Plain[];
  readonly actions?: readonly string[];
}

/** Webhooks or policies of one sort. */
interface Admission {
  readonly sort: Sort;
  readonly hooks?: readonly (string | Hook)[];
  readonly policies?: readonly Policy[];
}

const inNamespace = (t: Target): Plain => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
});

const jsonPatches = (expression: string): Plain => ({
  patchType: "JSONPatch",
  jsonPatch: { expression },
});
const applies = (expression: string): Plain => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});

/** The policies that refuse the probe of {@linkcode waitUntilInForce}. */
const PROBES: Readonly<Record<Sort, Plain>> = {
  validating: valid("false"),
  mutating: {
    mutations: [jsonPatches('[JSONPatch{op: "remove", path: "/none"}]')],
    reinvocationPolicy: "Never",
  },
};

/** Yields the objects of some webhooks or policies, and of one that refuses a probe. */
function* objectsOf(
  t: Target,
  server: WebhookServer,
  { sort, hooks = [], policies = [] }: Admission,
  place: number,
): Generator<readonly [resource: string, object: Plain]> {
  if (hooks.length > 0) {
    const probe: Hook = { path: "probe", rules: [rule("limitranges")] };
    const all = hooks.map((hook): Hook => typeof hook === "string" ? { path: hook } : hook);
    const webhooks = [...all, probe].map(({ path, ...hook }, index) => ({
      name: `h${index}.${sort}.test.dev`,
      clientConfig: server.client(path),
      rules: [connects("pods/exec")],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...inNamespace(t),
      ...hook,
    }));
    yield [`${sort}webhookconfigurations`, { metadata: { name: t.unique("hooks") }, webhooks }];
  }
  if (policies.length === 0) return;
  const probe: Policy = { spec: PROBES[sort], rules: [rule("limitranges")] };
  for (const [index, { spec, rules, actions }] of [...policies, probe].entries()) {
    const name = t.unique(`p${place}${index}`);
    const matchConstraints = { resourceRules: rules ?? [connects("pods/exec")] };
    const never = sort === "mutating" && { reinvocationPolicy: "Never" };
    yield [`${sort}admissionpolicies`, {
      metadata: { name },
      spec: { ...never, matchConstraints, ...spec },
    }];
    yield [`${sort}admissionpolicybindings`, {
      metadata: { name },
      spec: {
        policyName: name,
        matchResources: inNamespace(t),
        ...(sort === "validating" && { validationActions: actions ?? ["Deny"] }),
      },
    }];
  }
}

/**
 * Runs a part of a case while webhooks or policies are in force for a pod `a` of two containers.
 * Mutating ones come last, since they refuse the probe before validating ones see it.
 */
async function withAdmission(
  t: Target,
  admissions: readonly Admission[],
  run: (server: WebhookServer) => Promise<void>,
): Promise<void> {
  const unrecorded = { unrecorded: true };
  await using server = await WebhookServer.start(ANSWERS);
  t.mask(/127\.0\.0\.1:\d{4,5}/g, "<webhook>");
  const pod = await t.post(t.path("pods"), {
    metadata: { name: "a", labels: { app: "a" } },
    spec: { containers: ["main", "side"].map((name) => ({ name, image: "i" })) },
  }, unrecorded);
  assert.equal(pod.code, 201, JSON.stringify(pod.body));
  const made: string[] = [];
  try {
    for (const [index, admission] of admissions.entries()) {
      const own: string[] = [];
      for (const [resource, object] of objectsOf(t, server, admission, index)) {
        const { code, body } = await t.post(`${GROUP}/${resource}`, object, unrecorded);
        assert.equal(code, 201, JSON.stringify(body));
        own.push(`${GROUP}/${resource}/${(object.metadata as Plain).name}`);
      }
      made.push(...own);
      await waitUntilInForce(t, own);
    }
    server.asked.length = 0;
    await run(server);
  } finally {
    for (const path of made.reverse()) await t.delete(path, undefined, unrecorded);
  }
}

/** Waits until the last of some webhooks or policies refuses a probe, whose name the message has. */
async function waitUntilInForce(t: Target, paths: readonly string[]): Promise<void> {
  const name = paths.at(-1)!.split("/").at(-1)!;
  const isHook = paths[0]!.includes("webhookconfigurations");
  const sort = paths[0]!.includes("/mutating") ? "mutating" : "validating";
  await until(async () => {
    const probe = { metadata: { name: "probe" }, spec: { limits: [] } };
    const path = t.path("limitranges?dryRun=All");
    const { body } = await t.post(path, probe, { unrecorded: true });
    const message = String(body.message);
    return message.includes(isHook ? `.${sort}.test.dev` : name) &&
      !message.includes("failed to configure");
  }, "that the webhooks or policies are in force");
}

const EXEC = "pods/a/exec?command=ls&command=-l&stdout=true&container=main";

/** Defines a case: the outcome of commands in a pod. */
function executes(
  name: string,
  admission: Admission | readonly Admission[],
  ...paths: readonly string[]
): void {
  conformance(name, (t) =>
    withAdmission(t, [admission].flat(), async () => {
      for (const path of paths.length > 0 ? paths : [EXEC]) await t.post(t.path(path), undefined);
    }));
}

const validating = (name: string, ...hooks: readonly (string | Hook)[]): void =>
  executes(`validating: ${name}`, { sort: "validating", hooks });
const mutating = (name: string, ...hooks: readonly (string | Hook)[]): void =>
  executes(`mutating: ${name}`, { sort: "mutating", hooks });

// What a webhook answers.
validating("one that allows", "allow");
validating("one that denies", "deny");
validating("one that denies without a word", "bare");
validating("one that denies with a code and a reason", "teapot");
validating("one that warns", "warn");
validating("one that breaks", "broken");
validating("one that breaks is ignored", { path: "broken", failurePolicy: "Ignore" });
const nowhere: Plain = { clientConfig: { url: "https://127.0.0.1:1/x" } };
validating("one that is not there fails the connection", { path: "allow", ...nowhere });
validating("one that is not there is ignored", {
  path: "allow",
  ...nowhere,
  failurePolicy: "Ignore",
});
mutating("one that denies", "deny");
mutating("one that is not there fails the connection", { path: "allow", ...nowhere });
mutating("one that chooses the container", "container");
mutating("each sees what those before it did", "container", "more");
mutating(
  "one is called again when another changed the options after it",
  { path: "more", reinvocationPolicy: "IfNeeded" },
  "more",
);
mutating("one that sets labels", "labels");
mutating("one that sets metadata", "metadata");
mutating("one that sets an unknown field", "unknown");
mutating("one that makes no options of the kind", "badType");
mutating("one that makes options of another kind", "otherKind");
mutating("one that removes the command", "noCommand");

// What a webhook matches.
const condition = (expression: string): Plain => ({ matchConditions: [{ name: "a", expression }] });
validating("a condition that holds", {
  path: "deny",
  ...condition(
    "object.container == 'main' && object.command == ['ls', '-l'] && !has(object.stdin) && " +
      "object.stdout && oldObject == null && request.operation == 'CONNECT'",
  ),
});
validating("a condition that does not hold", {
  path: "deny",
  ...condition("object.container == 'side'"),
});
validating("a condition that cannot be evaluated", {
  path: "allow",
  ...condition("object.none == 'side'"),
});
validating("a condition on labels cannot be evaluated", {
  path: "allow",
  ...condition("object.metadata.labels.app == 'a'"),
});
validating("options have no labels", {
  path: "deny",
  objectSelector: { matchLabels: { app: "a" } },
});
validating("options have no labels that could be missing", {
  path: "deny",
  objectSelector: { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] },
});
validating("a rule of all operations", { path: "deny", rules: [rule("pods/exec", "*")] });
validating("a rule of another operation", {
  path: "deny",
  rules: [rule("pods/exec", "CREATE", "UPDATE", "DELETE")],
});
validating("a rule of the resource alone", { path: "deny", rules: [connects("pods")] });
validating("a rule of all subresources", { path: "deny", rules: [connects("pods/*")] });
validating("a rule of all resources", { path: "deny", rules: [connects("*")] });
validating("a rule of everything", { path: "deny", rules: [connects("*/*")] });

// Which requests are admitted.
conformance("all connections and methods", (t) =>
  withAdmission(t, [{
    sort: "validating",
    hooks: [{ path: "deny", rules: [connects("pods/*", "services/*")] }],
  }], async () => {
    for (const path of ["pods/a/exec?command=ls", "pods/a/attach", "pods/a/portforward"]) {
      await t.get(t.path(path));
      await t.post(t.path(path), undefined);
    }
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      await t.call(method, t.path("pods/a/proxy/"));
      await t.call(method, t.path("services/none/proxy/x"));
    }
    await t.get(t.path("pods/a/log?container=main"));
    await t.get(t.path("pods/a"));
  }));
executes(
  "a denial precedes all other checks but those of the query",
  { sort: "validating", hooks: [{ path: "deny", rules: [connects("pods/*")] }] },
  "pods/none/exec?command=ls",
  "pods/a/exec?container=none",
  "pods/a/exec?dryRun=All",
  "pods/a/portforward?ports=http",
  "pods/a/portforward?ports=65536",
  "pods/a/portforward?ports=-1",
  "pods/a/portforward?ports=80,",
  "pods/a/portforward?ports=80,443&ports=090",
  "pods/a:none:80/proxy/",
);
executes(
  "ports are numbers without admission too",
  { sort: "validating", hooks: [{ path: "deny", rules: [connects("pods/attach")] }] },
  "pods/a/portforward?ports=http",
  "pods/a/portforward?ports=80,443",
);
conformance("a connection in a namespace that does not exist", async (t) => {
  const gone = `/api/v1/namespaces/${t.unique("gone")}`;
  await withAdmission(t, [{ sort: "validating", hooks: ["deny"] }], async () => {
    await t.post(`${gone}/pods/a/exec?command=ls`, undefined);
  });
});

// The question.
conformance("what a webhook is asked", (t) =>
  withAdmission(t, [{
    sort: "validating",
    hooks: [{ path: "allow", rules: [connects("pods/*", "services/*")] }],
  }], async (server) => {
    for (
      const path of [
        EXEC,
        "pods/a/exec",
        "pods/a/exec?stdin=0&stdout=FALSE&stderr=&tty=yes&container=&command=&none=x",
        "pods/a/attach?stdin=1&tty=1&container=side",
        "pods/a/portforward",
        "pods/a/portforward?ports=80&ports=443,8080",
        "pods/none/proxy",
        "pods/none/proxy/",
        "pods/none:80/proxy/x/../y//z/?path=/other&q=1",
        "services/none/proxy//x%20y%2Fz",
        "services/https:none:web/proxy/x",
      ]
    ) await t.get(t.path(path));
    recordQuestions(t, server);
  }));
conformance(
  "what a mutating webhook is asked",
  (t) =>
    withAdmission(t, [{ sort: "mutating", hooks: ["container", "allow"] }], async (server) => {
      await t.post(t.path(EXEC), undefined);
      recordQuestions(t, server);
    }),
);
conformance("a validating webhook sees what a mutating one did", (t) =>
  withAdmission(t, [
    { sort: "validating", hooks: [{ path: "deny", admissionReviewVersions: ["v1beta1"] }] },
    { sort: "mutating", hooks: ["container"] },
  ], async (server) => {
    await t.post(t.path(EXEC), undefined);
    recordQuestions(t, server);
  }));
conformance("what a webhook is asked about a node", (t) => {
  const node = t.unique("node");
  const hook: Hook = {
    path: "deny",
    rules: [{ ...connects("nodes/proxy"), scope: "Cluster" }],
    ...condition(`request.name == '${node}:10250'`),
  };
  return withAdmission(t, [{ sort: "validating", hooks: [hook] }], async (server) => {
    await t.get(`/api/v1/nodes/${node}:10250/proxy/stats/summary?x=y`);
    recordQuestions(t, server);
  });
});

/** Records the questions that were asked. */
function recordQuestions(t: Target, server: WebhookServer): void {
  for (const { path, review } of server.asked) {
    // The rest is how a client makes itself known, and that differs between the servers.
    const { groups } = review.request.userInfo;
    review.request.userInfo = { groups };
    t.exchanges.push({ request: `WEBHOOK ${path}`, code: 200, body: review });
  }
}

// Validating policies.
executes(
  "validating policy: the command and the container",
  {
    sort: "validating",
    policies: [{
      spec: {
        validations: [
          {
            expression: "object.command[0] in ['ls', 'cat']",
            messageExpression: "'no ' + object.command[0]",
            reason: "Forbidden",
          },
          { expression: "object.?container.orValue('') != 'side'", message: "not in side" },
        ],
      },
    }],
  },
  EXEC,
  "pods/a/exec?command=rm&command=-rf&container=main",
  "pods/a/exec?command=ls&container=side",
  "pods/a/exec?command=ls",
  "pods/a/exec",
);
executes("validating policy: what an expression sees", {
  sort: "validating",
  policies: [{
    spec: valid(
      "object.kind == 'PodExecOptions' && object.apiVersion == 'v1' && oldObject == null && " +
        "!has(object.metadata) && !has(object.stdin) && object.stdout && request.name == 'a' && " +
        "request.kind.kind == 'PodExecOptions' && request.resource.resource == 'pods' && " +
        "request.subResource == 'exec' && request.operation == 'CONNECT' && !request.dryRun && " +
        "request.options == null && namespaceObject.metadata.name == request.namespace && " +
        "authorizer.requestResource.check('create').allowed()",
    ),
  }],
});
executes(
  "validating policy: a command that is not there",
  { sort: "validating", policies: [{ spec: valid("object.command != null") }] },
  "pods/a/exec",
  "pods/a/exec?command=",
);
executes(
  "validating policy: all operations",
  {
    sort: "validating",
    policies: [{ spec: valid("request.operation != 'CONNECT'"), rules: [rule("pods/*", "*")] }],
  },
  EXEC,
  "pods/a/attach?container=main",
  "pods/a/portforward",
  "pods/a/proxy/x",
);
executes(
  "validating policy: names",
  {
    sort: "validating",
    policies: [{
      spec: valid("false", { message: "not b" }),
      rules: [{ ...connects("pods/exec"), resourceNames: ["b"] }],
    }],
  },
  EXEC,
  "pods/b/exec",
);
executes(
  "validating policy: conditions",
  {
    sort: "validating",
    policies: [{ spec: { ...condition("has(object.tty)"), ...valid("false") } }],
  },
  EXEC,
  "pods/a/exec?tty=true",
);
executes("validating policy: an expression that fails", {
  sort: "validating",
  policies: [{ spec: valid("object.metadata.name == 'a'") }],
});
executes("validating policy: an expression that fails is ignored", {
  sort: "validating",
  policies: [{ spec: { failurePolicy: "Ignore", ...valid("object.metadata.name == 'a'") } }],
});
executes("validating policy: a warning", {
  sort: "validating",
  policies: [{ spec: valid("false", { message: "be careful" }), actions: ["Warn"] }],
});

// Mutating policies.
for (
  const [name, ...mutations] of [
    [
      "a patch chooses the container",
      jsonPatches('[JSONPatch{op: "add", path: "/container", value: "patched"}]'),
    ],
    [
      "each patch sees the ones before it",
      jsonPatches('[JSONPatch{op: "add", path: "/container", value: "x"}]'),
      jsonPatches('[JSONPatch{op: "replace", path: "/container", value: object.container + "y"}]'),
    ],
    ["a patch that does not fit", jsonPatches('[JSONPatch{op: "remove", path: "/tty"}]')],
    [
      "a patch with an unknown field",
      jsonPatches('[JSONPatch{op: "add", path: "/unknown", value: "x"}]'),
    ],
    [
      "a patch with a wrong type",
      jsonPatches('[JSONPatch{op: "add", path: "/container", value: 5}]'),
    ],
    ["a configuration chooses the container", applies('Object{container: "applied"}')],
    ["a configuration with a command", applies('Object{command: ["cat"]}')],
    ["a configuration with an unknown field", applies('Object{unknown: "x"}')],
    ["a configuration with a wrong type", applies("Object{container: 5}")],
    ["a configuration with metadata", applies("Object{metadata: Object.metadata{}}")],
  ] as const satisfies readonly (readonly [string, ...Plain[]])[]
) {
  executes(`mutating policy: ${name}`, {
    sort: "mutating",
    policies: [{ spec: { mutations } }],
  });
}
executes("mutating policy: a failure is ignored", {
  sort: "mutating",
  policies: [{
    spec: {
      failurePolicy: "Ignore",
      mutations: [jsonPatches('[JSONPatch{op: "remove", path: "/tty"}]')],
    },
  }],
});
executes(
  "mutating policy: conditions",
  {
    sort: "mutating",
    policies: [{
      spec: {
        ...condition("has(object.tty)"),
        mutations: [applies('Object{container: "applied"}')],
      },
      rules: [rule("pods/*", "*")],
    }],
  },
  EXEC,
  "pods/a/exec?tty=true",
  "pods/a/attach?tty=true",
  "pods/a/portforward?ports=80",
);
executes("a validating policy sees what a mutating one did", [
  { sort: "validating", policies: [{ spec: valid("object.container != 'x'") }] },
  { sort: "mutating", policies: [{ spec: { mutations: [applies('Object{container: "x"}')] } }] },
]);

// Authorization.
conformance(
  "a command by GET needs the permission to create it too, after admission",
  (t) =>
    withAdmission(t, [{
      sort: "validating",
      hooks: [{ path: "deny", ...condition("has(object.tty)") }],
    }], async () => {
      const user = t.unique("user");
      const resources = ["pods/exec", "pods/attach", "pods/portforward", "pods/proxy"];
      await grant(t, user, [{ apiGroups: [""], resources, verbs: ["get"] }], {
        await: { verb: "get", resource: "pods", subresource: "proxy" },
      });
      await t.get(t.path("pods/a/exec?tty=1"), as(user));
      for (const path of [EXEC, "pods/a/attach", "pods/a/portforward", "pods/none/exec"]) {
        await t.get(t.path(path), as(user));
      }
      await t.get(t.path("pods/none/proxy/"), as(user));
      await t.post(t.path(EXEC), undefined, as(user));
    }),
);
