/** Tests of the RBAC rules that are derived from what controllers declare. */
import assert from "node:assert/strict";
import {
  ClusterRole,
  ConfigMap,
  Deployment,
  Namespace,
  Node,
  Pod,
  resourceType,
  Secret,
} from "@xca/apimachinery/meta";
import { controllerFor } from "../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../controller/definition/controller_definition.ts";
import { CALL_NEEDS, type NamedCall } from "../controller/definition/resource_use.ts";
import type { PolicyRule } from "./policy_rule.ts";
import { needsOf, rulesOf, type RulesOptions } from "./rules_of.ts";

const Greeting = resourceType({
  group: "example.org",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
});

/** Returns the rules of all namespaces of one controller, each as one line. */
function lines(controller: ControllerDefinition, options: RulesOptions = {}): string[] {
  return rulesOf({ controllers: [controller] }, options).cluster.map(line);
}

function line({ apiGroups = [], resources = [], resourceNames = [], verbs }: PolicyRule): string {
  const names = resourceNames.length > 0 ? ` [${resourceNames.join()}]` : "";
  return `${apiGroups.join() || "core"} ${resources.join()}${names}: ${verbs.join()}`;
}

const builder = controllerFor(Greeting);

Deno.test("rbac: each source of a controller is listed and watched, and owned objects add the owner's finalizers", () => {
  const controller = builder.owns(Secret).watches(Node, () => []).reconcile(() => {});
  assert.deepEqual(lines(controller), [
    "core nodes,secrets: list,watch",
    "example.org greetings: list,watch",
    "example.org greetings/finalizers: update",
  ]);
  assert.deepEqual(lines(builder.reconcile(() => {})), ["example.org greetings: list,watch"]);
});

Deno.test("rbac: declared calls of the client and helpers become verbs", () => {
  const expected: Record<NamedCall, string[]> = {
    apply: ["core secrets: create,patch"],
    applyChild: [
      "core secrets: create,get,patch",
      "example.org greetings: list,watch",
      "example.org greetings/finalizers: update",
    ],
    applyStatus: ["core secrets/status: patch"],
    childSet: [
      "core secrets: create,delete,get,patch",
      "example.org greetings: list,watch",
      "example.org greetings/finalizers: update",
    ],
    createOrUpdate: ["core secrets: create,get,update"],
    deleteCollection: ["core secrets: deletecollection"],
    finalize: ["core secrets: get,patch"],
    pages: ["core secrets: list"],
    patchStatus: ["core secrets/status: patch"],
    pruneChildren: ["core secrets: delete,get"],
    recordEvents: ["events.k8s.io events: create,patch"],
    setControllerReference: ["core secrets/finalizers: update"],
    updateStatus: ["core secrets/status: update"],
  };
  assert.deepEqual(Object.keys(expected).sort(), Object.keys(CALL_NEEDS).sort());
  for (const [call, wanted] of Object.entries(expected)) {
    const controller = builder.uses(Secret, [call as NamedCall]).reconcile(() => {});
    const all = [...new Set([...wanted, "example.org greetings: list,watch"])];
    assert.deepEqual(lines(controller).sort(), all.sort(), call);
  }
});

Deno.test("rbac: subresources and names restrict a rule", () => {
  const controller = builder
    .uses(Deployment, ["get", "update"], { subresource: "scale" })
    .uses(Pod, ["create"], { subresource: "eviction", names: ["web"] })
    .uses(Secret, ["get", "apply"], { names: ["token", "ca"] })
    .uses(ClusterRole, ["bind", "escalate"], { names: ["view"] })
    .reconcile(() => {});
  assert.deepEqual(
    lines(controller),
    [
      "core pods/eviction [web]: create",
      "core secrets [ca]: create,get,patch",
      "core secrets [token]: create,get,patch",
      "apps deployments/scale: get,update",
      "example.org greetings: list,watch",
      "rbac.authorization.k8s.io clusterroles [view]: bind,escalate",
    ].sort((a, b) => order(a) - order(b)),
  );
  function order(text: string): number {
    return ["core pods", "core secrets [ca]", "core secrets [token]", "apps", "example", "rbac"]
      .findIndex((start) => text.startsWith(start));
  }
});

Deno.test("rbac: a use is in the namespaces of the controller's source of the same resource, else in those of the manager", () => {
  const controller = builder
    .owns(Secret, { namespaces: ["shop"] })
    .uses(Secret, ["apply"])
    .uses(Greeting, ["updateStatus", "recordEvents"])
    .uses(ConfigMap, ["get"], { namespaces: ["config"] })
    .uses(Namespace, ["get"])
    .reconcile(() => {});
  const { cluster, namespaces } = rulesOf({ controllers: [controller] }, { namespaces: ["own"] });
  assert.deepEqual(cluster.map(line), ["core namespaces: get"]);
  assert.deepEqual(
    Object.fromEntries(Object.entries(namespaces).map(([name, rules]) => [name, rules.map(line)])),
    {
      config: ["core configmaps: get"],
      own: [
        "events.k8s.io events: create,patch",
        "example.org greetings: list,watch",
        "example.org greetings/finalizers,greetings/status: update",
      ],
      shop: ["core secrets: create,list,patch,watch"],
    },
  );
});

Deno.test("rbac: events about cluster-scoped objects are in the namespace default", () => {
  const controller = controllerFor(Node).uses(Node, ["recordEvents"]).reconcile(() => {});
  const { namespaces } = rulesOf({ controllers: [controller] });
  assert.deepEqual(namespaces.default?.map(line), ["events.k8s.io events: create,patch"]);
});

Deno.test("rbac: a source of one name is listed and watched by that name alone", () => {
  const named = controllerFor(Secret, { fieldSelector: "metadata.name=token,type!=x" });
  assert.deepEqual(lines(named.reconcile(() => {})), ["core secrets [token]: list,watch"]);
  const others = controllerFor(Secret, { fieldSelector: "metadata.name!=token" });
  assert.deepEqual(lines(others.reconcile(() => {})), ["core secrets: list,watch"]);
});

Deno.test("rbac: an access of all objects makes that of a namespace or a name needless", () => {
  const controller = controllerFor(Secret)
    .uses(Secret, ["list"], { namespaces: ["shop"] })
    .uses(Secret, ["watch", "get"], { names: ["token"] })
    .uses(Secret, ["get"])
    .reconcile(() => {});
  const rules = rulesOf({ controllers: [controller] });
  assert.deepEqual(rules.cluster.map(line), ["core secrets: get,list,watch"]);
  assert.deepEqual(rules.namespaces, {});
});

Deno.test("rbac: the election needs its own Lease, candidates, and nothing in other namespaces", () => {
  const controller = builder.reconcile(() => {});
  const coordinated = { binaryVersion: "1.0.0" };
  const { leaderElection, metrics } = rulesOf([{ name: "greeter", controllers: [controller] }], {
    name: "greeters",
    namespace: "system",
    leaderElection: { coordinated },
    metricsServer: {},
  });
  assert.equal(leaderElection?.namespace, "system");
  assert.deepEqual(leaderElection.rules.map(line), [
    "coordination.k8s.io leasecandidates: create,delete,get,update",
    "coordination.k8s.io leases: create",
    "coordination.k8s.io leases [greeters]: get,update",
  ]);
  assert.deepEqual(metrics.map(line), [
    "authentication.k8s.io tokenreviews: create",
    "authorization.k8s.io subjectaccessreviews: create",
  ]);
  const plain = rulesOf({ controllers: [controller] }, { metricsServer: { secure: false } });
  assert.equal(plain.leaderElection, undefined);
  assert.deepEqual(plain.metrics, []);
  for (const bindAddress of ["0", ""]) {
    const off = rulesOf({ controllers: [controller] }, { metricsServer: { bindAddress } });
    assert.deepEqual(off.metrics, [], "no metrics server");
  }
});

Deno.test("rbac: the choices of a manager's caches restrict sources, and the uses of their resources", () => {
  const controller = builder.owns(Secret).uses(Secret, ["create"]).reconcile(() => {});
  const rules = rulesOf({ controllers: [controller] }, {
    caches: [{ type: Secret, namespaces: ["shop"] }],
  });
  assert.deepEqual(rules.namespaces.shop?.map(line), ["core secrets: create,list,watch"]);
});

Deno.test("rbac: rules are the same in whatever order they are declared, and never have a *", () => {
  const uses = [
    (each: typeof builder) => each.uses(Secret, ["applyChild", "recordEvents"]),
    (each: typeof builder) => each.uses(ConfigMap, ["get"], { namespaces: ["b", "a"] }),
    (each: typeof builder) => each.owns(Deployment),
    (each: typeof builder) => each.uses(Secret, ["get"], { namespaces: ["a"], names: ["x"] }),
  ];
  const made = (order: typeof uses): unknown => {
    const { needs: _, ...rules } = rulesOf({
      controllers: [order.reduce((each, use) => use(each), builder).reconcile(() => {})],
    });
    return rules;
  };
  const text = JSON.stringify(made(uses));
  assert.equal(JSON.stringify(made(uses.toReversed())), text);
  assert(!text.includes("*"), text);
});

Deno.test("rbac: each need names its controller and the declaration", () => {
  const controller = builder.owns(Secret).uses(Secret, ["applyChild"]).reconcile(() => {});
  assert.deepEqual(
    [...new Set(needsOf({ controllers: [controller] }).map(({ reason }) => reason))],
    [
      "it is for Greeting",
      "it owns Secret",
      "it declares applyChild of Secret",
      "it owns objects, whose references to their owner block its deletion",
    ],
  );
});

Deno.test("rbac: uses() refuses calls, options and restrictions that cannot be", () => {
  const refused = (call: () => unknown, message: RegExp): void => {
    assert.throws(call, (error) => error instanceof TypeError && message.test(error.message));
  };
  refused(() => builder.uses(Secret, ["gett" as never]), /secrets\.v1: there is no call "gett"/);
  refused(() => builder.uses(Secret, ["*" as never]), /there is no call "\*", only get, list/);
  refused(() => builder.uses(Secret, [] as never), /must be an array such as \["get", "create"\]/);
  refused(() => builder.uses(Secret, "get" as never), /is? of type string|are of type string/);
  refused(() => builder.uses({} as never, ["get"]), /must be a constant such as ConfigMap/);
  refused(() => builder.uses(Node, ["get"], { namespaces: ["a"] }), /is cluster-scoped/);
  refused(() => builder.uses(Secret, ["get"], { namespaces: [] }), /at least one name/);
  refused(() => builder.uses(Secret, ["get"], { namespaces: ["A b"] }), /namespaces must be/);
  refused(() => builder.uses(Secret, ["create"], { names: ["a"] }), /create cannot be restricted/);
  refused(() => builder.uses(Secret, ["get"], { names: ["*"] }), /names must be an array/);
  refused(() => builder.uses(Secret, ["get"], { name: "a" } as never), /there is no option name,/);
  refused(
    () => builder.uses(Secret, ["apply"], { subresource: "status" }),
    /apply is not a verb of the subresource status/,
  );
  refused(() => builder.uses(Secret, ["get"], { subresource: "a b" }), /lower-case letters/);
});
