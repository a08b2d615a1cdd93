import { markClass } from "@xca/apimachinery/internal/base";
import { join } from "node:path";

/**
 * Kubernetes release of the control plane that `deno task control-plane:build` builds and tests run
 * by default.
 */
export const CONTROL_PLANE_VERSION: string = "v1.37.2";

/** The paths of the programs of a control plane; relative if `KUBEBUILDER_ASSETS` is relative. */
export interface ControlPlaneAssets {
  /** The path of the `etcd` program. */
  readonly etcd: string;
  /** The path of the `kube-apiserver` program. */
  readonly kubeApiserver: string;
  /** The path of the `kube-controller-manager` program; `undefined` if the folder has none. */
  readonly kubeControllerManager: string | undefined;
}

/**
 * The error of a control plane that cannot be started on this machine: a program is missing, or the
 * operating system is not supported. The message has the remedy.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ControlPlaneUnavailable, findControlPlaneAssets } from "@xca/operator/testing";
 *
 * function canStart(version: string): boolean {
 *   try {
 *     findControlPlaneAssets(version);
 *     return true;
 *   } catch (error) {
 *     if (error instanceof ControlPlaneUnavailable) return false;
 *     throw error;
 *   }
 * }
 * assert.equal(typeof canStart("v1.37.2"), "boolean");
 * ```
 */
export class ControlPlaneUnavailable extends Error {
  /** The name of this error class, `ControlPlaneUnavailable`. */
  override readonly name: string = "ControlPlaneUnavailable";

  static {
    markClass(this, Symbol.for("@xca/operator/ControlPlaneUnavailable"));
  }
}

/**
 * Returns the folder of a built control plane of a release: `xca-operator/control-plane/<version>`
 * in `$XDG_CACHE_HOME`, or else in `.cache` of `$HOME` or `$USERPROFILE`.
 *
 * @throws {ControlPlaneUnavailable} When `$XDG_CACHE_HOME` is not set or is empty, and neither
 * `$HOME` nor `$USERPROFILE` is set, or `$HOME` is empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controlPlaneCacheDir } from "@xca/operator/testing";
 *
 * assert.match(controlPlaneCacheDir("v1.35.4"), /control-plane.v1\.35\.4$/);
 * ```
 */
export function controlPlaneCacheDir(version: string = CONTROL_PLANE_VERSION): string {
  const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE");
  const cache = Deno.env.get("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  if (!cache) {
    throw new ControlPlaneUnavailable(
      "Cannot tell the cache folder: neither XDG_CACHE_HOME nor HOME is set",
    );
  }
  return join(cache, "xca-operator", "control-plane", version);
}

/**
 * Returns the programs of a control plane: from the folder in `KUBEBUILDER_ASSETS` if that is set
 * and not empty, whatever `version` is, else from {@linkcode controlPlaneCacheDir} of `version`.
 *
 * @throws {ControlPlaneUnavailable} When `etcd` or `kube-apiserver` is missing, or the cache folder
 * is not known; the message has the remedy.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ControlPlaneUnavailable, findControlPlaneAssets } from "@xca/operator/testing";
 *
 * try {
 *   const { etcd, kubeApiserver } = findControlPlaneAssets();
 *   assert(etcd !== "" && kubeApiserver !== "");
 * } catch (error) {
 *   assert(error instanceof ControlPlaneUnavailable); // none is built on this machine
 * }
 * ```
 */
export function findControlPlaneAssets(
  version: string = CONTROL_PLANE_VERSION,
): ControlPlaneAssets {
  const named = Deno.env.get("KUBEBUILDER_ASSETS");
  const dir = named || controlPlaneCacheDir(version);
  const missing = ["etcd", "kube-apiserver"].filter((program) => !isFile(join(dir, program)));
  if (missing.length > 0) {
    const where = named ? `KUBEBUILDER_ASSETS (${dir})` : dir;
    const next = named
      ? "point it at a folder that holds both, or unset it to use the built ones"
      : "build them with `deno task control-plane:build` (needs Go), or set KUBEBUILDER_ASSETS to a folder that holds them";
    throw new ControlPlaneUnavailable(
      `Cannot start a control plane: no ${missing.join(" and no ")} in ${where}; ${next}`,
    );
  }
  const controllerManager = join(dir, "kube-controller-manager");
  return {
    etcd: join(dir, "etcd"),
    kubeApiserver: join(dir, "kube-apiserver"),
    kubeControllerManager: isFile(controllerManager) ? controllerManager : undefined,
  };
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
