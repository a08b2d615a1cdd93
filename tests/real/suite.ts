/**
 * How a test runs on a real control plane: it does when one is on this machine, is skipped with a
 * printed line when none is, and fails instead when `XCA_REQUIRE_CONTROL_PLANE=1` or when
 * `KUBEBUILDER_ASSETS` is set and wrong.
 *
 * @module
 */
import { ControlPlane, type ControlPlaneOptions } from "../../lib/testing/control_plane.ts";
import {
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "../../lib/testing/control_plane_assets.ts";

/** Why nothing can run; `undefined` when everything can. Each test file decides it once. */
const unavailable: ControlPlaneUnavailable | undefined = findUnavailable();
const required = Deno.env.get("XCA_REQUIRE_CONTROL_PLANE") === "1" ||
  Boolean(Deno.env.get("KUBEBUILDER_ASSETS"));
let told = false;

function findUnavailable(): ControlPlaneUnavailable | undefined {
  try {
    findControlPlaneAssets();
    return undefined;
  } catch (error) {
    if (error instanceof ControlPlaneUnavailable) return error;
    throw error;
  }
}

/** Whether to leave the tests out; tells so once per file. */
function skips(): boolean {
  if (!unavailable || required) return false;
  if (!told) {
    told = true;
    const line = `SKIPPED the tests on a real control plane: ${unavailable.message}\n`;
    Deno.stderr.writeSync(new TextEncoder().encode(line));
  }
  return true;
}

/** A test that starts what it needs of a real control plane by itself. */
export function realTest(
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  Deno.test({
    name,
    ignore: skips(),
    fn: (t) => {
      if (unavailable) throw unavailable;
      return fn(t);
    },
  });
}

/** Tests of one file that share a control plane. */
export interface RealSuite {
  /** Adds a test. It gets the shared control plane, with whatever earlier tests left on it. */
  test(
    name: string,
    fn: (plane: ControlPlane, t: Deno.TestContext) => void | Promise<void>,
  ): void;
}

/**
 * Makes a suite whose control plane starts before the first test of the file and ends after the
 * last. Call it at the top of the file, once: each call starts a control plane of its own.
 *
 * @example
 * ```ts ignore
 * const suite = realSuite({ audit: true });
 * suite.test("lists namespaces", async (plane) => {
 *   const response = await plane.fetch("/api/v1/namespaces");
 *   assert.equal(response.status, 200);
 *   await response.body?.cancel();
 * });
 * ```
 */
export function realSuite(options: ControlPlaneOptions = {}): RealSuite {
  let plane: ControlPlane | undefined;
  if (!unavailable) {
    Deno.test.beforeAll(async () => {
      plane = await ControlPlane.start(options);
    });
    Deno.test.afterAll(async () => {
      await plane?.[Symbol.asyncDispose]();
    });
  }
  return { test: (name, fn) => realTest(name, (t) => fn(plane!, t)) };
}
