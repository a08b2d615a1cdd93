/** The demo on a cluster of the user's own: what it says, and that it leaves nothing behind. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createClient } from "../../lib/client/mod.ts";
import { CustomResourceDefinition } from "../../lib/meta/mod.ts";
import { until } from "../support/until.ts";
import type { Plane } from "../support/plane.ts";
import { planeSuite } from "./suite.ts";

const suite = planeSuite();

async function demo(KUBECONFIG: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("../../examples/demo.ts", import.meta.url))],
    env: { KUBECONFIG },
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

async function crds(plane: Plane): Promise<number> {
  using client = createClient(plane.config);
  return (await client.list(CustomResourceDefinition)).items.length;
}

suite.test("the demo activates its objects on the cluster of KUBECONFIG, two files too, and takes all away", async (plane) => {
  const { code, stdout, stderr } = await demo(`${plane.dir}/missing:${plane.kubeconfigPath}`);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /\* 3 objects reconciled, 0 failed\n/);
  assert.match(stdout, /\nvenus +venus +true /);
  await until(async () => await crds(plane) === 0, "the definitions are gone");
  // No controller empties namespaces here, so that of the demo stays.
  const occupied = await demo(plane.kubeconfigPath);
  assert.equal(occupied.code, 2);
  assert.equal(
    occupied.stderr,
    "error: namespace xca-demo exists already: delete it, or demo another cluster\n",
  );
  assert.equal(await crds(plane), 0);
});

suite.test("the demo says in one line what it may not do, and leaves nothing either", async (plane) => {
  const { kubeconfigPath } = await plane.addUser("visitor");
  const forbidden = await demo(kubeconfigPath);
  assert.equal(forbidden.code, 1);
  assert.match(forbidden.stderr, /^Error from server \(Forbidden\): .*"visitor" cannot get/);
  assert(!/^\s+at /m.test(forbidden.stderr), forbidden.stderr);
  const missing = await demo(`${plane.dir}/missing`);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^error: Cannot find a cluster: no kubeconfig at .*\/missing.*\n$/);
  await until(async () => await crds(plane) === 0, "the definitions are gone");
});
