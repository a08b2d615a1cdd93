/** The demo on a cluster of the user's own: what it says, and that it leaves nothing behind. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { CliContext, Interrupt } from "../../cli/context.ts";
import { demo } from "../../examples/demo.ts";
import { createClient, ignoreNotFound } from "../../lib/client/mod.ts";
import {
  CustomResourceDefinition,
  Namespace,
  resourceType,
  type UnstructuredObject,
} from "../../lib/apimachinery/meta/mod.ts";
import { xcaCrd } from "../../lib/xca/mod.ts";
import { testContext } from "../support/command_line/cli_context.ts";
import type { Plane } from "../support/planes/plane.ts";
import { until } from "../support/until.ts";
import { planeSuite } from "./suite.ts";

const suite = planeSuite();

/** The time limit for the server to delete a definition by itself, in milliseconds. */
const LOOK_AGAIN_MS = 10_000;

const rbac = { group: "rbac.authorization.k8s.io", version: "v1", scope: "Cluster" } as const;
const ClusterRole = resourceType<UnstructuredObject>({
  ...rbac,
  kind: "ClusterRole",
  plural: "clusterroles",
});
const ClusterRoleBinding = resourceType<UnstructuredObject>({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function demoProcess(KUBECONFIG: string): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("../../examples/demo.ts", import.meta.url))],
    env: { KUBECONFIG },
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** The demo in this process, interrupted when it says something with `text` in it. */
async function demoInterrupted(
  { kubeconfigPath }: Pick<Plane, "kubeconfigPath">,
  text: string,
  interrupt: Interrupt = "SIGINT",
  times = 1,
): Promise<Outcome & { readonly exits: readonly number[] }> {
  const context = testContext({ env: { KUBECONFIG: kubeconfigPath } });
  const interrupting: CliContext = {
    ...context,
    out(said) {
      context.out(said);
      if (!said.includes(text)) return;
      for (let i = 0; i < times; i++) context.interrupt(interrupt);
    },
  };
  const code = await demo(interrupting);
  return { code, stdout: context.stdout(), stderr: context.stderr(), exits: context.exits };
}

async function crds(plane: Plane): Promise<string[]> {
  using client = createClient(plane.config);
  const { items } = await client.list(CustomResourceDefinition);
  return items.map(({ metadata }) => metadata.name!);
}

/**
 * Waits until at most a number of deleted definitions remain. kube-apiserver's finalizer expects
 * another event after a conflict; when the conflicting change was its own, no event follows, and it
 * retries only minutes later, or at once when the definition changes.
 */
async function definitionsGone(plane: Plane, left = 0): Promise<void> {
  using client = createClient(plane.config);
  let lookAgainMs = performance.now() + LOOK_AGAIN_MS;
  await until(async () => {
    const { items } = await client.list(CustomResourceDefinition);
    if (items.length === left || performance.now() < lookAgainMs) return items.length === left;
    lookAgainMs = performance.now() + LOOK_AGAIN_MS;
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp === undefined) continue;
      const body = { metadata: { annotations: { "example.org/looked-at": `${lookAgainMs}` } } };
      const patched = client.patch(CustomResourceDefinition, metadata.name!, {
        type: "merge",
        body,
      });
      await ignoreNotFound(patched);
    }
    return false;
  }, "the definitions are gone");
}

/** Asserts that the demo deleted its namespace, and does what no controller does here. */
async function finishNamespace(plane: Plane): Promise<void> {
  using client = createClient(plane.config);
  const namespace = await ignoreNotFound(client.get(Namespace, "xca-demo"));
  if (!namespace) return;
  assert(namespace.metadata.deletionTimestamp, "the namespace is deleted");
  const body = JSON.stringify({ ...namespace, spec: { finalizers: [] } });
  const path = "/api/v1/namespaces/xca-demo/finalize";
  const headers = { "content-type": "application/json" };
  const response = await plane.fetch(path, { method: "PUT", headers, body });
  assert.equal(response.status, 200, await response.text());
}

suite.test("the demo activates its objects on the cluster of KUBECONFIG, also with two files, and removes them", async (plane) => {
  const { code, stdout, stderr } = await demoProcess(
    `${plane.dir}/missing:${plane.kubeconfigPath}`,
  );
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /\* 3 objects reconciled, 0 failed\n/);
  assert.match(stdout, /\nvenus +venus +true /);
  await definitionsGone(plane);
  // No controller empties namespaces here, so that of the demo stays.
  const occupied = await demoProcess(plane.kubeconfigPath);
  assert.equal(occupied.code, 2);
  assert.equal(
    occupied.stderr,
    "error: namespace xca-demo is still being deleted: try again when it is gone, or demo another " +
      "cluster\n",
  );
  assert.deepEqual(await crds(plane), []);
  await finishNamespace(plane);
});

suite.test("the demo reports a missing permission in one line, and leaves no objects", async (plane) => {
  const { kubeconfigPath } = await plane.addUser("visitor");
  const forbidden = await demoProcess(kubeconfigPath);
  assert.equal(forbidden.code, 1);
  assert.match(forbidden.stderr, /^Error from server \(Forbidden\): .*"visitor" cannot get/);
  assert(!/^\s+at /m.test(forbidden.stderr), forbidden.stderr);
  const missing = await demoProcess(`${plane.dir}/missing`);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^error: Cannot find a cluster: no kubeconfig at .*\/missing.*\n$/);
  await definitionsGone(plane);
});

suite.test("the demo removes its objects wherever it is interrupted, and exits with the code of the interrupt", async (plane) => {
  const early = await demoInterrupted(plane, "* Using the cluster");
  assert.equal(early.code, 130);
  assert.equal(early.stderr, "Stopping on SIGINT; once more ends at once.\n");
  assert(!early.stdout.includes("Took"), early.stdout);
  for (
    const [text, interrupt] of [
      ["* Installed xcas", "SIGINT"],
      ["* Installed xtls", "SIGHUP"],
      ["* Creating", "SIGTERM"],
      ["$ kubectl xca status", "SIGINT"],
      ["* Running", "SIGTERM"],
    ] as const
  ) {
    const { code, stdout, stderr } = await demoInterrupted(plane, text, interrupt);
    assert.equal(code, interrupt === "SIGHUP" ? 129 : 130, `${text}: ${stderr}`);
    assert(stderr.startsWith(`Stopping on ${interrupt}; once more ends at once.\n`), stderr);
    assert(!stderr.includes("error"), stderr);
    assert.match(stdout, /\* Removed everything that the demo created\n$/);
    await definitionsGone(plane);
    await finishNamespace(plane);
  }
});

suite.test("the demo keeps a definition that existed before, also when interrupted, and reports it", async (plane) => {
  using client = createClient(plane.config);
  const labels = { "example.org/owner": "somebody" };
  await client.create(CustomResourceDefinition, {
    ...xcaCrd,
    metadata: { ...xcaCrd.metadata, labels },
  });
  const before = await client.get(CustomResourceDefinition, xcaCrd.metadata.name!);
  for (const text of ["* Running", "never"]) {
    const { code, stdout, stderr } = await demoInterrupted(plane, text);
    assert.equal(code, text === "never" ? 0 : 130, stderr);
    assert.match(stdout, /\n\* xcas\.\S+ is there already\n\* Installed xtls\./);
    await definitionsGone(plane, 1);
    await finishNamespace(plane);
  }
  const after = await client.get(CustomResourceDefinition, xcaCrd.metadata.name!);
  assert.deepEqual(after.metadata.labels, labels);
  assert.equal(after.metadata.uid, before.metadata.uid);
  assert.deepEqual(after["spec"], before["spec"]);
  await client.delete(CustomResourceDefinition, xcaCrd.metadata.name!);
  await definitionsGone(plane);
});

suite.test("the demo prints how to remove its objects when it may not delete or must end at once", async (plane) => {
  const remedy = "kubectl delete namespaces/xca-demo " +
    "customresourcedefinitions/xtls.apps.xca.k8s.kb.cx " +
    "customresourcedefinitions/xcas.apps.xca.k8s.kb.cx\n";
  const maker = await plane.addUser("maker");
  using client = createClient(plane.config);
  await client.create(ClusterRole, {
    metadata: { name: "maker" },
    rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch", "create"] }],
  });
  await client.create(ClusterRoleBinding, {
    metadata: { name: "maker" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "maker" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "maker" }],
  });
  await until(async () => {
    using makers = createClient(maker.config);
    return await makers.list(CustomResourceDefinition).then(() => true, () => false);
  }, "the server knows of the role");

  const { code, stderr } = await demoInterrupted(maker, "* Creating");
  assert.equal(code, 130);
  assert.match(
    stderr,
    /^Stopping on SIGINT; .*\nerror: Cannot take all away: .*"maker" cannot delete/,
  );
  assert(stderr.endsWith(`; remove it: ${remedy}`), stderr);
  await client.delete(Namespace, "xca-demo");
  for (const name of await crds(plane)) await client.delete(CustomResourceDefinition, name);
  await definitionsGone(plane);
  await finishNamespace(plane);

  // The process of a test goes on all the same.
  const twice = await demoInterrupted(plane, "* Creating", "SIGINT", 2);
  assert.deepEqual(twice.exits, [130]);
  assert(twice.stderr.includes(`\nLeft behind; to remove: ${remedy}`), twice.stderr);
  await definitionsGone(plane);
  await finishNamespace(plane);
});
