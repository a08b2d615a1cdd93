import assert from "node:assert/strict";
import { CONTROL_PLANE_VERSION } from "../../lib/testing/plane/control_plane_assets.ts";
import { goModFor, linkerFlags, releaseOf } from "./module.ts";

const UPSTREAM = `module k8s.io/kubernetes

go 1.26.0

require (
	go.etcd.io/etcd/client/v3 v3.6.8
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.130.1
	k8s.io/sample-apiserver v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
)
`;

Deno.test("the pinned Go module builds the release that ControlPlane.start() looks for", async () => {
  const goMod = await Deno.readTextFile(new URL("go.mod", import.meta.url));
  assert.equal(releaseOf(goMod), CONTROL_PLANE_VERSION);
});

Deno.test("a release's go.mod replaces the staging modules, and those alone", () => {
  const goMod = goModFor("v1.37.2", UPSTREAM);
  const replaced = goMod.split("\n").filter((line) => line.includes("=>"));
  assert.deepEqual(replaced, [
    "\tk8s.io/api => k8s.io/api v0.37.2",
    "\tk8s.io/sample-apiserver => k8s.io/sample-apiserver v0.37.2",
  ]);
  assert.match(goMod, /^\tgo\.etcd\.io\/etcd\/server\/v3 v3\.6\.8$/m);
  assert.match(goMod, /^go 1\.26\.0$/m);
  assert.equal(releaseOf(goMod), "v1.37.2");
});

Deno.test("an upstream go.mod of an unknown shape is refused, not guessed", () => {
  assert.throws(() => goModFor("v1.37.2", "module k8s.io/kubernetes\n"), /another shape/);
  assert.throws(() => goModFor("v2.0.0", UPSTREAM), /another shape/);
  assert.throws(() => releaseOf("module x\n"), /requires none/);
});

Deno.test("the built server reports its release", () => {
  const flags = linkerFlags("v1.37.2");
  assert.match(flags, /version\.gitVersion=v1\.37\.2 /);
  assert.match(flags, /version\.gitMajor=1 .*version\.gitMinor=37 /);
});
