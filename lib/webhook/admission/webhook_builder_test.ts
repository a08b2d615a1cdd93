import assert from "node:assert/strict";
import { ConfigMap, Deployment, Namespace, Node, Pod } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import type { AdmissionContext } from "./admission_context.ts";
import { admit } from "./admit.ts";
import { mutatePath, validatePath } from "./paths.ts";
import { webhookFor } from "./webhook_builder.ts";

Deno.test("webhookFor(): the data of a registration, with defaults and with options of each webhook", () => {
  const { registrations } = webhookFor(Deployment, { timeoutSeconds: 5, failurePolicy: "Ignore" })
    .defaulter(() => {}, { reinvocationPolicy: "IfNeeded", failurePolicy: "Fail" })
    .validator({ update: () => {}, delete: () => {} }, { path: "/own" });
  assert.deepEqual(registrations, [
    {
      kind: "mutating",
      name: "mutate.deployments.v1.apps",
      path: "/mutate-apps-v1-deployment",
      match: {
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        resources: ["deployments"],
        operations: ["CREATE", "UPDATE"],
        scope: "Namespaced",
      },
      failurePolicy: "Fail",
      sideEffects: "None",
      matchPolicy: "Equivalent",
      timeoutSeconds: 5,
      namespaceSelector: undefined,
      objectSelector: undefined,
      matchConditions: [],
      reinvocationPolicy: "IfNeeded",
    },
    {
      kind: "validating",
      name: "validate.deployments.v1.apps",
      path: "/own",
      match: {
        apiGroups: ["apps"],
        apiVersions: ["v1"],
        resources: ["deployments"],
        operations: ["UPDATE", "DELETE"],
        scope: "Namespaced",
      },
      failurePolicy: "Ignore",
      sideEffects: "None",
      matchPolicy: "Equivalent",
      timeoutSeconds: 5,
      namespaceSelector: undefined,
      objectSelector: undefined,
      matchConditions: [],
      reinvocationPolicy: undefined,
    },
  ]);
});

Deno.test("webhookFor(): paths are those of kubebuilder, also in the core group and of subresources", () => {
  assert.equal(mutatePath(Pod), "/mutate--v1-pod");
  const policy = { ...Deployment, group: "rbac.authorization.k8s.io", kind: "ClusterRole" };
  assert.equal(validatePath(policy), "/validate-rbac-authorization-k8s-io-v1-clusterrole");
  const [scale] = webhookFor(Deployment, { subresource: "scale" })
    .validator({ update: ({ object }) => void object.spec?.replicas }).registrations;
  assert.equal(scale?.path, "/validate-apps-v1-deployment-scale");
  assert.equal(scale.name, "validate.scale.deployments.v1.apps");
  assert.deepEqual(scale.match.resources, ["deployments/scale"]);
  assert.equal(webhookFor(Node).defaulter(() => {}).registrations[0]?.match.scope, "Cluster");
});

Deno.test("webhookFor(): impossible options are refused by name and rule", () => {
  const options = (given: unknown): () => void => () => void webhookFor(Pod, given as object);
  assert.throws(options({ timeout: 5 }), /there is no option timeout, only failurePolicy/);
  assert.throws(
    options({ timeoutSeconds: 31 }),
    /timeoutSeconds must be a whole number from 1 to 30, is 31/,
  );
  assert.throws(options({ timeoutSeconds: 0 }), RangeError);
  assert.throws(
    options({ failurePolicy: "fail" }),
    /failurePolicy must be Fail or Ignore, is "fail"/,
  );
  assert.throws(options({ sideEffects: "Some" }), /sideEffects must be None or NoneOnDryRun/);
  assert.throws(options({ versions: [] }), /versions must be a list of texts with at least one/);
  assert.throws(options({ subresource: "a/b" }), /subresource must be a name such as status/);
  assert.throws(options({ matchConditions: [{ name: "x" }] }), /list of { name, expression }/);
  assert.throws(options(7), /its options must be an object/);
  assert.throws(() => webhookFor(undefined as never), /do two modules import each other/);
  const builder = webhookFor(Pod);
  assert.throws(() => builder.defaulter("x" as never), /the defaulter must be a function/);
  assert.throws(() => builder.defaulter(() => {}, { path: "x" }), /path must be segments/);
  assert.throws(
    () => builder.defaulter(() => {}, { operations: ["PATCH" as never] }),
    /operations must be of CREATE/,
  );
  assert.throws(() => builder.defaulter(() => {}).defaulter(() => {}), /has a defaulter already/);
  assert.throws(() => builder.validator({}), /validator\(\) needs one of/);
  assert.throws(() => builder.validator({ patch: () => {} } as never), /but no patch/);
  assert.throws(
    () => builder.validator({ create: 7 } as never),
    /the validator's create must be a/,
  );
  assert.throws(() => builder.validator((() => {}) as never), /validator\(\) takes/);
});

Deno.test("webhookFor(): an option of a wrong type is a TypeError, and a value out of range a RangeError", () => {
  const builder = webhookFor(Pod);
  const parameters = { type: ConfigMap, name: "a" };
  const cases: [given: Record<string, unknown>, name: "TypeError" | "RangeError"][] = [
    [{ subresource: 5 }, "TypeError"],
    [{ subresource: null }, "TypeError"],
    [{ subresource: "" }, "RangeError"],
    [{ timeoutSeconds: "5" }, "TypeError"],
    [{ timeoutSeconds: null }, "TypeError"],
    [{ timeoutSeconds: 1.5 }, "RangeError"],
    [{ timeoutSeconds: NaN }, "RangeError"],
    [{ path: ["/a"] }, "TypeError"],
    [{ path: "a" }, "RangeError"],
    [{ failurePolicy: true }, "TypeError"],
    [{ failurePolicy: "fail" }, "RangeError"],
    [{ sideEffects: null }, "TypeError"],
    [{ matchPolicy: 1 }, "TypeError"],
    [{ reinvocationPolicy: ["Never"] }, "TypeError"],
    [{ parameters: { ...parameters, parameterNotFoundAction: Object.create(null) } }, "TypeError"],
    [{ parameters: { ...parameters, parameterNotFoundAction: "Ignore" } }, "RangeError"],
  ];
  for (const [given, name] of cases) {
    const [option] = Object.keys(given);
    const message = new RegExp(`^Cannot build a webhook for Pod: ${option}\\b.* must be .*, is `);
    assert.throws(() => void webhookFor(Pod, given), { name, message }, JSON.stringify(given));
    if (option === "parameters" || option === "subresource") continue;
    assert.throws(() => void builder.defaulter(() => {}, given), { name, message });
  }
});

Deno.test("defineOperator() refuses webhooks that are none, do nothing, or have one path, by their place", () => {
  const define = (...webhooks: unknown[]): () => void => () =>
    void defineOperator({
      name: "o",
      controllers: [controllerFor(ConfigMap).reconcile(() => {})],
      webhooks: webhooks as never,
    });
  const one = webhookFor(Pod).defaulter(() => {});
  assert.throws(define(one, () => {}), /webhooks\[1\] must be made by webhookFor/);
  assert.throws(define(webhookFor(Pod)), /webhooks\[0\] for Pod does nothing; add .defaulter/);
  assert.throws(define(one, one), /webhooks for Pod and Pod are both served at \/mutate--v1-pod/);
  const empty = { name: "o", controllers: [controllerFor(ConfigMap).reconcile(() => {})] };
  assert.deepEqual(defineOperator(empty).webhooks, []);
});

Deno.test("admit() runs defaulter and validator as the API server does, and changes nothing that it was given", async () => {
  const seen: unknown[] = [];
  const webhook = webhookFor(ConfigMap)
    .defaulter(({ object, operation, warn }) => {
      object.data = { ...object.data, by: operation };
      warn("first");
    })
    .validator({
      create: ({ object, user }) => void seen.push(object.data, user.username),
      update: ({ object, oldObject, warn }) => {
        warn("second");
        seen.push(object.data, oldObject.data);
      },
    });
  const object = { metadata: { name: "a", namespace: "default" }, data: { x: "1" } };
  const created = await admit(webhook, { object, user: { username: "jane" } });
  assert.deepEqual(object.data, { x: "1" });
  assert.deepEqual(created.object?.data, { x: "1", by: "CREATE" });
  const updated = await admit(webhook, { object, oldObject: object });
  assert.deepEqual(updated.warnings, ["first", "second"]);
  assert.deepEqual(seen, [{ x: "1", by: "CREATE" }, "jane", { x: "1", by: "UPDATE" }, { x: "1" }]);
  const deleted = await admit(webhook, { oldObject: object });
  assert.deepEqual([deleted.allowed, deleted.object], [true, undefined]);
  await assert.rejects(admit(webhook, {}), /without an object or oldObject/);
  const reader = webhookFor(ConfigMap)
    .validator({ create: async ({ client }) => void await client.get(ConfigMap, "default/a") });
  const { code, message } = await admit(reader, { object });
  assert.equal(code, 500);
  assert.match(message, /Cannot use client.get of a webhook without a client: pass { client } to/);
});

Deno.test("admit() of a connection has no object before it, as on the API server", async () => {
  const seen: unknown[] = [];
  const webhook = webhookFor(Pod, { subresource: "exec" })
    .defaulter(({ oldObject, object }) => void seen.push(oldObject, object.kind), {
      operations: ["CONNECT"],
    })
    .validator({ connect: (context) => void seen.push("oldObject" in context) });
  const object = { apiVersion: "v1", kind: "PodExecOptions", metadata: { name: "a" } };
  assert((await admit(webhook, { operation: "CONNECT", object })).allowed);
  assert((await admit(webhook, { operation: "CONNECT", object, oldObject: object })).allowed);
  assert.deepEqual(seen, [undefined, "PodExecOptions", false, undefined, "PodExecOptions", false]);
});

Deno.test("admit() refuses a request that lacks the object of its operation", async () => {
  const webhook = webhookFor(ConfigMap).validator({ create: () => {}, update: () => {} });
  const oldObject = { metadata: { name: "a", namespace: "default" } };
  for (const operation of ["CREATE", "UPDATE", "CONNECT"] as const) {
    await assert.rejects(admit(webhook, { operation, oldObject }), {
      name: "TypeError",
      message: `Cannot admit a request with operation ${operation} without an object`,
    });
  }
});

Deno.test("admit() of a Namespace has its name as namespace, as on the API server, and as key", async () => {
  const seen: unknown[] = [];
  const see = ({ namespace, key }: AdmissionContext): void => void seen.push([namespace, key]);
  await admit(webhookFor(Namespace).defaulter(see), { object: { metadata: { name: "a" } } });
  await admit(webhookFor(Node).defaulter(see), { object: { metadata: { name: "b" } } });
  assert.deepEqual(seen, [["a", "a"], ["", "b"]]);
});
