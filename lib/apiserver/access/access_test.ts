import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { TokenKey } from "@xca/apimachinery/internal/pki";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { generateSigningKey } from "@xca/apimachinery/pki";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { Access, type PeerInfo } from "./access.ts";
import { bootstrapRoles, type FirstStore } from "./bootstrap_roles.ts";
import { FakeRegistry } from "./fake_registry_test.ts";
import { RBAC_GROUP } from "./role_rules.ts";
import type { TokenAnswer } from "./tokens/token_issuer.ts";

const { privateKey } = await generateSigningKey();

interface Fixture {
  readonly registry: FakeRegistry;
  readonly access: Access;
  readonly clock: FakeClock;
}

function fixture(tokens: Record<string, RequestUser> = {}): Fixture {
  const registry = new FakeRegistry();
  const clock = new FakeClock();
  const access = new Access({
    registry: () => registry,
    clock,
    random: seededRandom(1),
    signingKey: privateKey,
    tokens,
  });
  access.follow(registry);
  return { registry, access, clock };
}

const jane: RequestUser = { name: "jane", groups: ["system:authenticated"] };

function asks(verb: string, more: Partial<AccessAttributes> = {}): AccessAttributes {
  return {
    user: jane,
    verb,
    isResource: true,
    group: "",
    version: "v1",
    resource: "pods",
    subresource: "",
    namespace: "shop",
    name: "",
    path: "",
    ...more,
  };
}

async function give(registry: FakeRegistry, name: string, rules: unknown): Promise<void> {
  const at = { group: RBAC_GROUP, namespace: "", name };
  await registry.create({ ...at, resource: "clusterroles" }, { metadata: { name }, rules });
  await registry.create({ ...at, resource: "clusterrolebindings" }, {
    metadata: { name },
    roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name },
    subjects: [{ kind: "User", name: "jane" }],
  });
}

function request(headers: Record<string, string> = {}): Request {
  return new Request("https://embedded.invalid/api/v1/pods", { headers });
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert(error instanceof StatusError, String(error));
    return `${error.code} ${error.message}`;
  }
  return assert.fail("nothing was refused");
}

Deno.test("an in-process request is the administrator's; a request over a connection needs credentials", () => {
  const { access } = fixture();
  assert(access.authenticate(request(), undefined).groups.includes("system:masters"));
  assert.equal(refusal(() => access.authenticate(request(), {})), "401 Unauthorized");
  assert.equal(access.authenticate(request(), { user: jane }), jane);
});

Deno.test("a bearer token authenticates in-process calls too, and other credentials are refused", () => {
  const { access } = fixture({ secret: { name: "robot", groups: ["robots"] } });
  const by = (authorization: string): RequestUser =>
    access.authenticate(request({ authorization }), undefined);
  assert.deepEqual(by("Bearer secret"), {
    name: "robot",
    groups: ["robots", "system:authenticated"],
  });
  assert.equal(by("bearer secret ").name, "robot");
  assert.equal(by("Bearer secret more").name, "robot");
  const wrongs = ["Bearer secre", "Bearer secrets", "Bearer", "Basic c2VjcmV0", "secret"];
  for (const wrong of [...wrongs, "Bearer  secret"]) {
    assert.equal(refusal(() => by(wrong)), "401 Unauthorized", wrong);
  }
});

Deno.test("a bearer token may be a WebSocket protocol together with another protocol", () => {
  const { access } = fixture({ sécret: { name: "robot", groups: [] } });
  const prefix = "base64url.bearer.authorization.k8s.io.";
  const token = `${prefix}${
    new TextEncoder().encode("sécret").toBase64({ alphabet: "base64url", omitPadding: true })
  }`;
  const by = (protocols: string, upgrade = "websocket"): RequestUser =>
    access.authenticate(
      request({ connection: "Upgrade", upgrade, "sec-websocket-protocol": protocols }),
      {},
    );
  assert.equal(by(`${token}, binary.k8s.io`).name, "robot");
  assert.equal(by(`binary.k8s.io,${token}`).name, "robot");
  const wrong = [
    "",
    token,
    `${token}, ${token}, binary.k8s.io`,
    `${prefix}, binary.k8s.io`,
    `${prefix}%%%, binary.k8s.io`,
    `${prefix}_w, binary.k8s.io`,
    `${prefix}YWJj, binary.k8s.io`,
  ];
  for (const protocols of wrong) {
    assert.equal(refusal(() => by(protocols)), "401 Unauthorized", protocols);
  }
  assert.equal(refusal(() => by(`${token}, binary.k8s.io`, "spdy/3.1")), "401 Unauthorized");
});

Deno.test("a service account token authenticates its user until it expires", async () => {
  const { access, registry, clock } = fixture();
  const account = { metadata: { name: "robot", namespace: "shop", uid: "u1" } };
  await registry.create(
    { group: "", resource: "serviceaccounts", namespace: "shop", name: "robot" },
    account,
  );
  const audiences = access.issuer.audiences;
  const token = access.issuer.issue({ serviceAccount: account, audiences, expirationSeconds: 600 });
  const { user } = access.byToken(token);
  assert.equal(user?.name, "system:serviceaccount:shop:robot");
  assert.deepEqual(user.groups, [
    "system:serviceaccounts",
    "system:serviceaccounts:shop",
    "system:authenticated",
  ]);
  clock.step(601_000);
  assert.equal(access.byToken(token).user?.uid, "u1"); // Clocks may differ by one minute.
  clock.step(60_000);
  assert.match(access.byToken(token).error!, /service account token has expired/);
});

Deno.test("a token with another algorithm than its key is refused", () => {
  const { access } = fixture();
  const part = (value: unknown): string =>
    new TextEncoder().encode(JSON.stringify(value))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  const claims = part({ iss: "https://kubernetes.default.svc", aud: access.issuer.audiences });
  for (const alg of ["none", "HS256", "RS256"]) {
    const { user, error } = access.byToken(`${part({ alg })}.${claims}.`);
    assert.equal(user, undefined);
    assert.match(error!, /cryptographic/);
  }
  for (const text of ["", ".", "..", "a.b.c", `${part(1)}.${part([])}.x`, "ü.ü.ü"]) {
    assert.equal(access.byToken(text).error, "invalid bearer token");
  }
});

Deno.test("a token that another program signed with the key and odd claims is refused with a reason", async () => {
  const key = TokenKey.fromPem(privateKey);
  const { access, registry, clock } = fixture();
  const account = { metadata: { name: "robot", namespace: "shop", uid: "u1" } };
  const at = { group: "", resource: "serviceaccounts", namespace: "shop", name: "robot" };
  await registry.create(at, account);
  const iss = "https://kubernetes.default.svc";
  const ofRobot = { "kubernetes.io": { namespace: "shop", serviceaccount: account.metadata } };
  const answer = (claims: Record<string, unknown>): TokenAnswer =>
    access.byToken(key.sign({ iss, ...claims } as never));
  assert.equal(answer(ofRobot).user?.uid, "u1");
  assert.equal(answer({ ...ofRobot, aud: iss }).user?.uid, "u1");
  const exp = clock.now().getTime() / 1000 - 61;
  const refused: [Record<string, unknown>, RegExp][] = [
    [{}, /serviceaccounts "" not found/],
    [{ ...ofRobot, aud: "x" }, /token audiences \["x"\] is invalid/],
    [{ ...ofRobot, aud: 1 }, /the claim aud has another type/],
    [{ ...ofRobot, exp }, /has expired/],
    [{ ...ofRobot, exp: "2200-01-01" }, /the claim exp has another type/],
    [{ "kubernetes.io": null }, /the claim kubernetes.io has another type/],
    [{ "kubernetes.io": { serviceaccount: [] } }, /serviceaccount has another type/],
    [{ "kubernetes.io": { serviceaccount: { name: 1 } } }, /name has another type/],
  ];
  for (const [claims, reason] of refused) {
    const { user, error = "" } = answer(claims);
    assert.equal(user, undefined, JSON.stringify(claims));
    assert.match(error, reason);
  }
});

Deno.test("changed roles take effect at once", async () => {
  const { access, registry } = fixture();
  assert.equal(access.authorize(asks("get")).allowed, false);
  await give(registry, "r", [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }]);
  assert.deepEqual(access.authorize(asks("get")), {
    allowed: true,
    reason: 'RBAC: allowed by ClusterRoleBinding "r" of ClusterRole "r" to User "jane"',
  });
  const at = { group: RBAC_GROUP, namespace: "", name: "r" };
  await registry.delete({ ...at, resource: "clusterroles" });
  assert.deepEqual(access.authorize(asks("get")), {
    allowed: false,
    reason: 'rbac: RBAC: clusterrole.rbac.authorization.k8s.io "r" not found',
  });
});

const NO =
  'cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace ' +
  '"shop"';

function acting(access: Access, headers: Record<string, string>, peer?: PeerInfo): RequestUser {
  return access.actingUser(jane, asks("list"), request(headers), peer);
}

Deno.test("impersonation needs a right, and its refusal is that of the first mode", async () => {
  const { access, registry } = fixture();
  const bob = { "Impersonate-User": "bob" };
  assert.equal(acting(access, {}), jane);
  assert.equal(
    refusal(() => acting(access, bob)),
    `403 pods is forbidden: User "jane" ${NO}`,
  );
  await give(registry, "old", [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"] }]);
  assert.deepEqual(acting(access, bob), { name: "bob", groups: ["system:authenticated"] });
  assert.match(refusal(() => acting(access, { ...bob, "Impersonate-Group": "g" })), /403 pods is/);
});

Deno.test("constrained impersonation needs a right to the user and one to the request", async () => {
  const { access, registry } = fixture();
  const bob = { "Impersonate-User": "bob", "Impersonate-Group": "system:masters" };
  await give(registry, "on", [
    { apiGroups: [""], resources: ["pods"], verbs: ["impersonate-on:user-info:list"] },
  ]);
  assert.equal(
    refusal(() => acting(access, { "Impersonate-User": "bob" })),
    '403 users.authentication.k8s.io "bob" is forbidden: User "jane" cannot ' +
      'impersonate:user-info resource "users" in API group "authentication.k8s.io" ' +
      "at the cluster scope",
  );
  await give(registry, "who", [{
    apiGroups: ["authentication.k8s.io"],
    resources: ["users", "groups"],
    verbs: ["impersonate:user-info"],
  }]);
  assert.equal(acting(access, { "Impersonate-User": "bob" }).name, "bob");
  assert.match(
    refusal(() => acting(access, bob)),
    /groups.authentication.k8s.io "system:masters" is forbidden: .*group is not allowed/,
  );
});

Deno.test("an access review considers the field selector, as the request itself does", () => {
  const { access, registry } = fixture();
  const endpoint = access.endpoints["subjectaccessreviews.authorization.k8s.io"]!;
  const isAllowed = (fieldSelector: unknown): unknown => {
    const resourceAttributes = { verb: "list", resource: "pods", fieldSelector };
    const spec = { user: "system:node:one", groups: ["system:nodes"], resourceAttributes };
    const { status } = endpoint.create!({ metadata: {}, spec }, {} as never, registry) as ApiObject;
    return (status as { allowed: boolean }).allowed;
  };
  const requires = (operator: string, ...values: string[]): unknown => ({
    requirements: [{ key: "spec.nodeName", operator, values }],
  });
  assert.equal(isAllowed({ rawSelector: "a=b,spec.nodeName=one" }), true);
  assert.equal(isAllowed(requires("In", "one")), true);
  const others = [{ rawSelector: "spec.nodeName=two" }, { rawSelector: "spec.nodeName=one,a" }];
  const unusable = [requires("NotIn", "one"), requires("In", "one", "two"), requires("Exists")];
  for (const selector of [undefined, requires("In", "one,a=b"), ...others, ...unusable]) {
    assert.equal(isAllowed(selector), false, JSON.stringify(selector));
  }
});

Deno.test("an access review reports the selectors that authorization ignores", () => {
  const { access, registry } = fixture();
  const endpoint = access.endpoints["subjectaccessreviews.authorization.k8s.io"]!;
  const problem = (selectors: Record<string, unknown>): unknown => {
    const resourceAttributes = { verb: "list", resource: "pods", ...selectors };
    const body = { metadata: {}, spec: { user: "jane", resourceAttributes } };
    const { status } = endpoint.create!(body, {} as never, registry) as ApiObject;
    return (status as { evaluationError?: string }).evaluationError;
  };
  const term = (operator: string, ...values: string[]) => ({ key: "a", operator, values });
  const text = (name: string, part: string) =>
    `spec.resourceAttributes.${name} ${part} due to parse error`;
  for (const name of ["fieldSelector", "labelSelector"]) {
    const of = (...requirements: unknown[]) => problem({ [name]: { requirements } });
    assert.equal(problem({ [name]: { rawSelector: "a=b,c!=d" } }), undefined);
    assert.equal(problem({ [name]: { rawSelector: "a=b=c" } }), text(name, "ignored"));
    assert.equal(of(term("In", "b"), term("NotIn", "c")), undefined);
    assert.equal(of(term("Equals", "b"), term("In")), text(name, "ignored"));
    assert.equal(of(term("In", "b"), term("In")), text(name, "partially ignored"));
  }
  const more = [term("In", "b", "c"), term("Exists")];
  assert.equal(problem({ labelSelector: { requirements: more } }), undefined);
  const unusual = [term("Exists", "b"), term("In", "-"), { ...term("Exists"), key: "/" }];
  for (const each of unusual) {
    const requirements = [each];
    assert.equal(problem({ labelSelector: { requirements } }), text("labelSelector", "ignored"));
  }
  assert.equal(
    problem({ fieldSelector: { requirements: more }, labelSelector: { rawSelector: "!" } }),
    `${text("fieldSelector", "ignored")}; ${text("labelSelector", "ignored")}`,
  );
});

Deno.test("the rules of a node are incomplete, since the node authorizer has no list of them", async () => {
  const { access, registry } = fixture();
  const endpoint = access.endpoints["selfsubjectrulesreviews.authorization.k8s.io"]!;
  const statusOf = (user: RequestUser): unknown => {
    const body = { metadata: {}, spec: { namespace: "shop" } };
    const { status } = endpoint.create!(body, { user } as never, registry) as ApiObject;
    const { incomplete, evaluationError } = status as Record<string, unknown>;
    return { incomplete, evaluationError };
  };
  const node: RequestUser = { name: "system:node:one", groups: ["system:nodes"] };
  const why = "node authorizer does not support user rule resolution";
  assert.deepEqual(statusOf(jane), { incomplete: false, evaluationError: undefined });
  assert.deepEqual(statusOf(node), { incomplete: true, evaluationError: why });
  const at = { group: RBAC_GROUP, resource: "rolebindings", namespace: "shop", name: "b" };
  await registry.create(at, {
    metadata: { name: "b", namespace: "shop" },
    roleRef: { apiGroup: RBAC_GROUP, kind: "Role", name: "gone" },
    subjects: [{ kind: "User", name: node.name }],
  });
  const gone = 'role.rbac.authorization.k8s.io "gone" not found';
  assert.deepEqual(statusOf(node), { incomplete: true, evaluationError: `[${why}, ${gone}]` });
});

Deno.test("repeated impersonation headers are separate values", async () => {
  const { access, registry } = fixture();
  const verbs = ["impersonate"];
  await give(registry, "old", [{ apiGroups: [""], resources: ["users", "groups"], verbs }]);
  const rawHeaders = [
    "Impersonate-User",
    "bob",
    "IMPERSONATE-GROUP",
    "a, b",
    "impersonate-group",
    "c",
  ];
  assert.deepEqual(acting(access, {}, { rawHeaders }).groups, [
    "a, b",
    "c",
    "system:authenticated",
  ]);
});

Deno.test("an extra field of a user may have any key", async () => {
  const { access, registry } = fixture();
  await give(registry, "all", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
  const user = acting(access, { "Impersonate-User": "bob", "Impersonate-Extra-__proto__": "x" });
  assert.deepEqual(Object.entries(user.extra!), [["__proto__", ["x"]]]);
});

Deno.test("the bootstrap roles are created once and take effect at once", async () => {
  const { BOOTSTRAP_ROLES } = await import("../facts/bootstrap_roles.ts");
  const { access, registry, clock } = fixture();
  const written: string[] = [];
  const store: FirstStore<{ name: string; get(key: string): boolean }> = {
    nextRevision: 7,
    collection: (name: string) => ({
      name,
      get: (key: string) => written.includes(`${name} ${key}`),
    }),
    put: ({ name }, key, text) => {
      written.push(`${name} ${key}`);
      const [namespace, last] = key.includes("/") ? key.split("/") : ["", key];
      const address = { group: RBAC_GROUP, namespace: namespace!, name: last! };
      void registry.create({ ...address, resource: name.split(".")[0]! }, JSON.parse(text));
    },
  };
  bootstrapRoles(store, BOOTSTRAP_ROLES, { clock, random: seededRandom(1) });
  const path = { isResource: false, path: "/api/v1", verb: "get", resource: "" };
  assert.equal(access.authorize(asks("get", path)).allowed, true);
  const view = registry.get(RBAC_GROUP, "clusterroles", "", "view")!;
  assert.deepEqual((view.metadata.managedFields?.[0] as { fieldsV1: unknown }).fieldsV1, {
    "f:aggregationRule": { ".": {}, "f:clusterRoleSelectors": {} },
    "f:metadata": {
      "f:annotations": { ".": {}, "f:rbac.authorization.kubernetes.io/autoupdate": {} },
      "f:labels": {
        ".": {},
        "f:kubernetes.io/bootstrapping": {},
        "f:rbac.authorization.k8s.io/aggregate-to-edit": {},
      },
    },
  });
  const count = written.length;
  assert(count > 100);
  bootstrapRoles(store, BOOTSTRAP_ROLES, { clock, random: seededRandom(1) });
  assert.equal(written.length, count);
});
