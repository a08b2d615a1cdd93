/**
 * `kubectl xca install`, `uninstall`, `deploy` and `undeploy` on an API server: nothing changes the second
 * time, fields of others are reported, and no object is left in deletion.
 */
import assert from "node:assert/strict";
import { runCli } from "../../../cli/app.ts";
import {
  applyPatch,
  type Client,
  createClient,
  isNotFound,
  mergePatch,
  waitFor,
} from "../../../lib/client/mod.ts";
import { runOperator } from "../../../lib/controller/mod.ts";
import { Deployment, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import { testContext } from "../../support/command_line/cli_context.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { Parcel, post } from "../../support/operators/project_operator.ts";
import { untilAnswered } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ controllers: ["namespace-controller"] });

const MODULE = new URL("../../support/operators/project_operator.ts", import.meta.url).href;
const KEY = "post-system/post";

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** Runs a command on the operator of these tests. */
async function xca(plane: Plane, line: string): Promise<Outcome> {
  const context = testContext();
  const args = [...line.split(" "), "--kubeconfig", plane.kubeconfigPath];
  const code = await runCli(args.toSpliced(1, 0, MODULE), context);
  const lines = context.stdout().split("\n").filter((each) => each !== "");
  return { code, lines, stderr: context.stderr() };
}

/** Pretends that the replicas of the Deployment are available, as kubelets would make them. */
async function pretendReplicas(client: Client, availableReplicas: number): Promise<void> {
  const { metadata, spec } = await client.get(Deployment, KEY);
  const replicas = spec?.replicas ?? 0;
  await client.patchStatus(
    Deployment,
    KEY,
    mergePatch({
      status: {
        observedGeneration: metadata?.generation,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: availableReplicas,
        availableReplicas,
      },
    }),
  );
}

function actionsOf({ lines }: Outcome): string[] {
  return [...new Set(lines.map((line) => line.replace(/^\S+( -n \S+)? /, "").replace(/:.*/, "")))];
}

async function makeParcel(client: Client, name: string, finalizers: string[] = []): Promise<void> {
  await untilAnswered(
    () =>
      client.create(Parcel, {
        metadata: { name, namespace: "default", finalizers },
        spec: { address: "Elm Street", size: "small" },
      }),
    isNotFound,
  );
}

async function isGone(client: Client): Promise<boolean> {
  const { items } = await client.list(meta.CustomResourceDefinition);
  return !items.some(({ metadata }) => metadata?.name === "parcels.post.example.org");
}

suite.test(
  "deploy applies all manifests once, reports fields of others, and undeploy drains before it deletes",
  async (plane) => {
    using client = createClient(plane.config);
    // A dry run writes nothing.
    const dry = await xca(plane, "deploy --dry-run");
    assert.equal(dry.code, 0, dry.stderr);
    assert.deepEqual(actionsOf(dry), ["created (dry run)"]);
    assert(await isGone(client));

    const first = await xca(plane, "deploy --no-wait");
    assert.equal(first.code, 0, first.stderr);
    assert.deepEqual(actionsOf(first), ["created", "established"]);
    assert.deepEqual(
      first.lines,
      dry.lines.toSpliced(2, 0, "").map((line, at) =>
        at === 2
          ? "customresourcedefinition.apiextensions.k8s.io/parcels.post.example.org established"
          : line.replace(" (dry run)", "")
      ),
    );
    const second = await xca(plane, "deploy --no-wait");
    assert.deepEqual(actionsOf(second), ["unchanged", "established"], second.stderr);

    // Replicas that never become available are an error that names the Deployment.
    const late = await xca(plane, "deploy --timeout 1s");
    assert.equal(late.code, 1);
    assert.match(
      late.stderr,
      /Cannot roll out post-system\/post: not within 1 s: 0 pods.*describe/,
    );

    // Fields that others own are kept, and named.
    await client.patch(
      Deployment,
      KEY,
      applyPatch(
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "post" },
          spec: { replicas: 5 },
        } as never,
        { fieldManager: "autoscaler", force: true },
      ),
    );
    const conflict = await xca(plane, "deploy --no-wait");
    assert.equal(conflict.code, 1);
    assert.match(
      conflict.stderr,
      /\.spec\.replicas of deployment\.apps\/post is owned by autoscaler; .*--force-conflicts/,
    );
    assert.equal((await client.get(Deployment, KEY)).spec?.replicas, 5);
    const forced = await xca(plane, "deploy --no-wait --force-conflicts");
    assert.equal(forced.code, 0, forced.stderr);
    assert.equal((await client.get(Deployment, KEY)).spec?.replicas, 2);

    // Objects without an operator: nothing is deleted.
    await makeParcel(client, "first", ["example.org/post"]);
    const refused = await xca(plane, "undeploy");
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /while there are objects: Parcel default\/first \(example\.org\/post\); .*Nothing was deleted/,
    );
    assert.equal((await client.get(Parcel, "default/first")).metadata.deletionTimestamp, undefined);
    assert(await client.get(Deployment, KEY));

    // While the operator runs, its finalizers end by its clean-up.
    await pretendReplicas(client, 2);
    const rolledOut = await xca(plane, "deploy");
    assert.equal(rolledOut.lines.at(-1), "deployment.apps/post -n post-system rolled out");
    const operator = runOperator(post, { client });
    const kept = await xca(plane, "undeploy --keep-crds --dry-run");
    assert.equal(kept.code, 0, kept.stderr);
    assert(!kept.lines.some((line) => line.startsWith("customresourcedefinition")));
    const undeployed = await xca(plane, "undeploy");
    await operator.stop();
    assert.equal(undeployed.code, 0, undeployed.stderr);
    assert.equal(undeployed.lines[0], "parcel.post.example.org/first -n default deleted");
    assert.equal(undeployed.lines.at(-1), "namespace/post-system deleted");
    assert(await isGone(client));
    const again = await xca(plane, "undeploy");
    assert.deepEqual([again.code, actionsOf(again)], [0, ["absent"]]);
  },
  { realOnly: "the controller of namespaces deletes them" },
);

suite.test("uninstall --force removes finalizers although webhooks and conversions of an ended operator are left", async (plane) => {
  using client = createClient(plane.config);
  const installed = await xca(plane, "install");
  assert.equal(installed.code, 0, installed.stderr);
  assert.deepEqual(actionsOf(installed), ["created", "established"]);
  assert.deepEqual(actionsOf(await xca(plane, "install")), ["unchanged", "established"]);
  await makeParcel(client, "stuck", ["example.org/post"]);
  const name = "parcels.post.example.org";
  const service = { name: "gone", namespace: "default", path: "/convert" };
  await client.patch(
    meta.CustomResourceDefinition,
    name,
    mergePatch({
      spec: {
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] },
        },
      },
    }),
  );
  // As a user who deletes the definition first, which then waits for its objects.
  await client.delete(meta.CustomResourceDefinition, name);
  const refused = await xca(plane, "uninstall");
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /Parcel default\/stuck/);
  const forced = await xca(plane, "uninstall --force");
  assert.equal(forced.code, 0, forced.stderr);
  assert(
    forced.lines.includes(
      "parcel.post.example.org/stuck -n default finalizers removed: example.org/post",
    ),
    forced.lines.join("\n"),
  );
  await waitFor(client, meta.CustomResourceDefinition, name, "delete");
  assert.deepEqual(actionsOf(await xca(plane, "uninstall")), ["absent"]);
});

suite.test("undeploy keeps a namespace of others, and uninstall waits for a Lease's holder", async (plane) => {
  using client = createClient(plane.config);
  await client.create(Namespace, { metadata: { name: "shared" } });
  const place = "--system-namespace shared";
  await xca(plane, `deploy --no-wait ${place}`);
  // The namespace was applied too; another's label marks it as theirs.
  await client.patch(
    Namespace,
    "shared",
    mergePatch({ metadata: { labels: { "app.kubernetes.io/name": "platform" } } }),
  );
  await client.apply(meta.Lease, {
    metadata: { name: "post", namespace: "shared" },
    spec: {
      holderIdentity: "laptop",
      leaseDurationSeconds: 3600,
      renewTime: new Date().toISOString().replace("Z", "000Z") as never,
    },
  }, { fieldManager: "test" });
  await makeParcel(client, "held", ["example.org/post"]);
  const late = await xca(plane, `uninstall ${place} --timeout 1s`);
  assert.equal(late.code, 1);
  assert.match(
    late.stderr,
    /Parcel default\/held \(example\.org\/post\) within 1 s, although laptop/,
  );
  const forced = await xca(plane, `undeploy ${place} --timeout 1s --force`);
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(forced.lines.at(-1)!, /^namespace\/shared kept: /);
  assert(await isGone(client));
});

suite.test(
  "deploy and undeploy delete what an earlier deploy applied and the manifests no longer have, and nothing else",
  async (plane) => {
    using client = createClient(plane.config);
    const place = "--system-namespace pruning";
    const inDefault = async (): Promise<string[]> => {
      const { items } = await client.list(meta.Role, { namespace: "default" });
      return items.map(({ metadata }) => metadata?.name ?? "");
    };
    const narrow = await xca(plane, `deploy --no-wait ${place} -n default`);
    assert.equal(narrow.code, 0, narrow.stderr);
    const role = await client.get(meta.Role, "default/post");
    const label = role.metadata!.labels!["applyset.kubernetes.io/part-of"]!;
    assert.match(label, /^applyset-[\w-]{43}-v1$/);
    // Definitions and namespaces are no members, so that nothing prunes them.
    const crd = await client.get(meta.CustomResourceDefinition, "parcels.post.example.org");
    const namespace = await client.get(Namespace, "pruning");
    for (const { metadata } of [crd, namespace]) {
      assert(!("applyset.kubernetes.io/part-of" in (metadata?.labels ?? {})));
    }
    // A copy that a user made, with all labels, is not what a deploy applied.
    await client.create(meta.Role, {
      metadata: { name: "copy", namespace: "default", labels: role.metadata!.labels! },
      rules: [],
    });

    // A deployment that ends before it prunes leaves the objects to the next one.
    await client.patch(
      meta.Deployment,
      "pruning/post",
      applyPatch(
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "post" },
          spec: { replicas: 7 },
        } as never,
        { fieldManager: "autoscaler", force: true },
      ),
    );
    const refused = await xca(plane, `deploy --no-wait ${place}`);
    assert.equal(refused.code, 1, refused.stderr);
    assert.deepEqual((await inDefault()).sort(), ["copy", "post"]);

    const dry = await xca(plane, `deploy --no-wait --force-conflicts --dry-run ${place}`);
    const wide = await xca(plane, `deploy --no-wait --force-conflicts ${place}`);
    assert.equal(wide.code, 0, wide.stderr);
    const pruned = (lines: readonly string[]): string[] =>
      lines.filter((line) => line.includes(" pruned")).map((line) =>
        line.replace(" (dry run)", "")
      );
    assert.deepEqual(pruned(wide.lines), [
      "role.rbac.authorization.k8s.io/post -n default pruned",
      "rolebinding.rbac.authorization.k8s.io/post -n default pruned",
    ]);
    assert.deepEqual(pruned(dry.lines), pruned(wide.lines));
    assert.deepEqual(await inDefault(), ["copy"]);
    const parent = await client.get(meta.ConfigMap, "pruning/post-applyset");
    assert.equal(
      parent.metadata?.annotations?.["applyset.kubernetes.io/additional-namespaces"],
      "",
    );
    const again = await xca(plane, `deploy --no-wait ${place}`);
    assert.deepEqual(actionsOf(again), ["unchanged", "established"], again.stderr);

    // The objects that only an earlier deployment had are deleted with the others.
    await xca(plane, `deploy --no-wait ${place} -n default`);
    const undeployed = await xca(plane, `undeploy --keep-crds ${place}`);
    assert.equal(undeployed.code, 0, undeployed.stderr);
    assert.deepEqual(await inDefault(), ["copy"]);
    assert(undeployed.lines.includes("configmap/post-applyset -n pruning deleted"));
    await client.delete(meta.Role, "default/copy");
    assert.equal((await xca(plane, `undeploy ${place}`)).code, 0);
  },
  { realOnly: "the controller of namespaces deletes them" },
);
