/**
 * The RBAC rules that are derived from controllers equal those that controller-gen makes of the markers
 * of the same access: `tests/project_tools/controller_gen/markers` has a folder per set of markers, with
 * the manifests that controller-gen printed for it. Where Go is on the machine, controller-gen itself is
 * built and run, so that the kept manifests are its own.
 *
 * `XCA_UPDATE=1 deno test -A tests/projects/controller_gen_test.ts` writes the manifests anew.
 */
import assert from "node:assert/strict";
import { loadAll } from "js-yaml";
import { controllerFor } from "../../lib/controller/mod.ts";
import {
  ConfigMap,
  Deployment,
  Job,
  Namespace,
  Node,
  Pod,
  resourceType,
  Secret,
} from "../../lib/apimachinery/meta/mod.ts";
import { defineOperator, type Operator } from "../../lib/controller/mod.ts";
import {
  mergeRules,
  type PolicyRule,
  rbacManifests,
  type RulesOptions,
} from "../../lib/rbac/mod.ts";
import { xcaOperator } from "../../lib/xca/mod.ts";
import { GO_BUILD } from "../support/command_line/go_build.ts";

const FOLDER = new URL("../project_tools/controller_gen/", import.meta.url);

const Greeting = resourceType({
  group: "example.org",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
});

const builder = controllerFor(Greeting);

function greeter(controller: typeof builder): Operator {
  return defineOperator({ name: "greeter", controllers: [controller.reconcile(() => {})] });
}

/** A set of markers, and the operator that declares the same access. */
interface Case {
  readonly operator: Operator;
  readonly options?: RulesOptions;
}

const CASES: Readonly<Record<string, Case>> = {
  xca: { operator: xcaOperator },
  groups: {
    operator: greeter(
      builder
        .owns(Deployment)
        .watches(Node, () => [])
        .watches(Job, () => [])
        .uses(Greeting, ["patchStatus", "recordEvents"])
        .uses(Deployment, ["applyChild"])
        .uses(Deployment, ["update", "get"], { subresource: "scale" })
        .uses(ConfigMap, ["get"])
        .uses(Secret, ["createOrUpdate"]),
    ),
  },
  namespaced: {
    operator: greeter(
      builder
        .uses(Greeting, ["updateStatus"])
        .uses(ConfigMap, ["get"], { namespaces: ["config"] })
        .uses(Namespace, ["get"]),
    ),
    options: { namespaces: ["stock", "shop"] },
  },
  names: {
    operator: greeter(
      builder
        .watches(Secret, () => [], { fieldSelector: "metadata.name=token" })
        .uses(Secret, ["get"], { names: ["token"] })
        .uses(ConfigMap, ["patch", "get"], { names: ["settings"] })
        .uses(ConfigMap, ["create"])
        .uses(Pod, ["create"], { subresource: "eviction", names: ["web"] }),
    ),
  },
  scaffold: {
    operator: greeter(builder),
    options: {
      name: "greeter",
      leaderElection: { coordinated: { binaryVersion: "1.0.0" } },
      metricsServer: {},
    },
  },
};

/** The fields of a Role or ClusterRole that are compared. */
interface ComparedRole {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly PolicyRule[];
}

/** Returns the merged rules of the roles of each namespace; those of ClusterRoles are under `*`. */
function rulesByNamespace(
  objects: readonly ComparedRole[],
): Record<string, PolicyRule[]> {
  const roles = objects.filter(({ kind }) => kind.endsWith("Role"));
  const groups = Map.groupBy(roles, ({ metadata }) => metadata.namespace ?? "*");
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([namespace, same]) => [namespace, mergeRules(same.flatMap(({ rules = [] }) => rules))]),
  );
}

async function golden(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`markers/${name}/role.golden.yaml`, FOLDER));
}

for (const [name, { operator, options }] of Object.entries(CASES)) {
  Deno.test(`rbac: the rules equal those that controller-gen makes of the markers: ${name}`, async () => {
    const objects = rbacManifests(operator, {
      ...options,
      namespace: "greeter-system",
      userRoles: false,
    });
    const theirs = loadAll(await golden(name)) as ComparedRole[];
    assert.deepEqual(rulesByNamespace(objects), rulesByNamespace(theirs));
    // One role per namespace has the same rules in the same order, text for text.
    for (const { kind, metadata, rules } of theirs.filter(() => name !== "scaffold")) {
      const ours = objects.find((object) =>
        object.kind === kind && object.metadata.namespace === metadata.namespace
      );
      assert.equal(JSON.stringify(ours?.rules), JSON.stringify(rules));
    }
  });
}

/** Runs controller-gen on a set of markers; `go tool` builds it once. */
async function controllerGen(name: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("go", {
    args: [
      "tool",
      "controller-gen",
      "rbac:roleName=operator",
      `paths=./markers/${name}`,
      "output:stdout",
    ],
    cwd: FOLDER,
    env: { ...GO_BUILD.env, GOFLAGS: ["-mod=readonly", ...GO_BUILD.args].join(" ") },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

const update = Deno.env.get("XCA_UPDATE") === "1";
const required = update || Deno.env.get("XCA_REQUIRE_CONTROL_PLANE") === "1";

Deno.test("rbac: the kept manifests are those that controller-gen prints", async (t) => {
  for (const name of Object.keys(CASES)) {
    let printed: string;
    try {
      printed = await controllerGen(name);
    } catch (error) {
      if (required) throw error;
      const text = error instanceof Error ? error.message.trim().split("\n")[0] : "";
      Deno.stderr.writeSync(
        new TextEncoder().encode(
          `SKIPPED controller-gen, which needs Go and its module: ${text}\n`,
        ),
      );
      return;
    }
    const path = new URL(`markers/${name}/role.golden.yaml`, FOLDER);
    if (update) await Deno.writeTextFile(path, printed);
    await t.step(name, async () => assert.equal(printed, await golden(name)));
  }
});
