import assert from "node:assert/strict";
import { join } from "node:path";
import { ControlPlaneUnavailable, findControlPlaneAssets } from "./control_plane_assets.ts";

/**
 * Runs a test with the given environment variables (`undefined` unsets one) and an empty folder.
 */
function withEnv(
  variables: (dir: string) => Record<string, string | undefined>,
  fn: (dir: string) => void,
): void {
  const dir = Deno.makeTempDirSync({ prefix: "xca-assets-" });
  const before = new Map<string, string | undefined>();
  try {
    for (const [name, value] of Object.entries(variables(dir))) {
      before.set(name, Deno.env.get(name));
      setEnv(name, value);
    }
    fn(dir);
  } finally {
    for (const [name, value] of before) setEnv(name, value);
    Deno.removeSync(dir, { recursive: true });
  }
}

function setEnv(name: string, value: string | undefined): void {
  if (value === undefined) Deno.env.delete(name);
  else Deno.env.set(name, value);
}

function put(dir: string, ...programs: string[]): void {
  Deno.mkdirSync(dir, { recursive: true });
  for (const program of programs) Deno.writeTextFileSync(join(dir, program), "");
}

Deno.test("KUBEBUILDER_ASSETS takes precedence over the built programs", () => {
  withEnv((dir) => ({ KUBEBUILDER_ASSETS: join(dir, "named"), XDG_CACHE_HOME: dir }), (dir) => {
    put(join(dir, "xca-operator/control-plane/v1.2.3"), "etcd", "kube-apiserver");
    put(join(dir, "named"), "etcd", "kube-apiserver", "kube-controller-manager");
    assert.deepEqual(findControlPlaneAssets("v1.2.3"), {
      etcd: join(dir, "named/etcd"),
      kubeApiserver: join(dir, "named/kube-apiserver"),
      kubeControllerManager: join(dir, "named/kube-controller-manager"),
    });
  });
});

Deno.test("an unusable KUBEBUILDER_ASSETS is an error, even with built programs", () => {
  withEnv((dir) => ({ KUBEBUILDER_ASSETS: join(dir, "named"), XDG_CACHE_HOME: dir }), (dir) => {
    put(join(dir, "xca-operator/control-plane/v1.2.3"), "etcd", "kube-apiserver");
    put(join(dir, "named"), "etcd");
    assert.throws(() => findControlPlaneAssets("v1.2.3"), (error) => {
      assert.ok(error instanceof ControlPlaneUnavailable);
      assert.match(error.message, /no kube-apiserver in KUBEBUILDER_ASSETS \(.*named\); point it/);
      return true;
    });
  });
});

Deno.test("without KUBEBUILDER_ASSETS the programs of the release are taken from the cache", () => {
  for (const named of [undefined, ""]) {
    withEnv((dir) => ({ KUBEBUILDER_ASSETS: named, XDG_CACHE_HOME: dir }), (dir) => {
      put(join(dir, "xca-operator/control-plane/v1.2.3"), "etcd", "kube-apiserver");
      assert.equal(
        findControlPlaneAssets("v1.2.3").etcd,
        join(dir, "xca-operator/control-plane/v1.2.3/etcd"),
      );
      assert.equal(findControlPlaneAssets("v1.2.3").kubeControllerManager, undefined);
      assert.throws(() => findControlPlaneAssets("v1.2.4"), {
        name: "ControlPlaneUnavailable",
        message:
          /no etcd and no kube-apiserver in .*v1\.2\.4; build them with .* or set KUBEBUILDER_ASSETS/,
      });
    });
  }
});

Deno.test("without XDG_CACHE_HOME the cache is $HOME/.cache, and without HOME an error", () => {
  const none = { KUBEBUILDER_ASSETS: undefined, XDG_CACHE_HOME: undefined, USERPROFILE: undefined };
  withEnv((dir) => ({ ...none, HOME: dir }), (dir) => {
    put(join(dir, ".cache/xca-operator/control-plane/v1.2.3"), "etcd", "kube-apiserver");
    assert.ok(findControlPlaneAssets("v1.2.3").etcd.startsWith(join(dir, ".cache")));
  });
  withEnv(() => ({ ...none, HOME: undefined }), () => {
    assert.throws(() => findControlPlaneAssets("v1.2.3"), /neither XDG_CACHE_HOME nor HOME is set/);
  });
});
