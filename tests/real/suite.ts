/**
 * Suites of tests on a real control plane: they run if a control plane is on this machine, and else
 * are skipped with a printed line. With `XCA_REQUIRE_CONTROL_PLANE=1`, or with an invalid
 * `KUBEBUILDER_ASSETS`, the first file of the run fails instead.
 *
 * Suites of {@linkcode planeSuite} run on the embedded server too, which needs only Deno.
 * `XCA_TEST_SERVERS=real` or `=embedded` leaves the other server out.
 *
 * @module
 */
import { ControlPlane, type ControlPlaneOptions } from "../../lib/testing/plane/control_plane.ts";
import {
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "../../lib/testing/plane/control_plane_assets.ts";
import { EmbeddedPlane, type EmbeddedPlaneOptions } from "../support/planes/embedded_plane.ts";
import { isOnPath } from "../support/command_line/is_on_path.ts";
import type { Plane } from "../support/planes/plane.ts";

/** Why nothing can run; `undefined` when everything can. Each test file decides it once. */
const unavailable: ControlPlaneUnavailable | undefined = findUnavailable();
const required = Deno.env.get("XCA_REQUIRE_CONTROL_PLANE") === "1" ||
  Boolean(Deno.env.get("KUBEBUILDER_ASSETS"));
const asked = Deno.env.get("XCA_TEST_SERVERS") ?? "real,embedded";
let told = false;

/**
 * Set once a file has failed for want of a control plane; files share nothing but the environment.
 */
const FAILED = "XCA_CONTROL_PLANE_FAILED";
if (unavailable && required && asked.includes("real") && !Deno.env.get(FAILED)) {
  Deno.env.set(FAILED, "1");
  throw unavailable;
}

function findUnavailable(): ControlPlaneUnavailable | undefined {
  try {
    findControlPlaneAssets();
    return undefined;
  } catch (error) {
    if (error instanceof ControlPlaneUnavailable) return error;
    throw error;
  }
}

/**
 * Reports whether the tests on a real control plane are skipped, and prints the reason once per
 * file.
 */
function skips(): boolean {
  if (!asked.includes("real")) return true;
  if (!unavailable) return false;
  if (!told) {
    told = true;
    const line = `SKIPPED the tests on a real control plane: ${unavailable.message}\n`;
    Deno.stderr.writeSync(new TextEncoder().encode(line));
  }
  return true;
}

/** Reports whether tests on a real control plane can run. */
export const realIsHere: boolean = unavailable === undefined;

/** The sanitizers of a test, where they differ from those of the run. */
export type Sanitizers = Pick<Deno.TestDefinition, "sanitizeOps" | "sanitizeResources">;

/** A test that starts what it needs of a real control plane by itself. */
export function realTest(
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
  sanitizers: Sanitizers = {},
): void {
  Deno.test({ ...sanitizers, name, ignore: skips(), fn });
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
  if (!unavailable && asked.includes("real")) {
    Deno.test.beforeAll(async () => {
      plane = await ControlPlane.start(options);
    });
    Deno.test.afterAll(async () => {
      await plane?.[Symbol.asyncDispose]();
    });
  }
  return { test: (name, fn) => realTest(name, (t) => fn(plane!, t)) };
}

/** Options of a test. */
export interface PlaneTestOptions {
  /** Why the test is of a real control plane alone. */
  readonly realOnly?: string;
  /**
   * Reports whether the suite runs kubectl: on a machine without it, the embedded server is left out.
   *
   * @default {what the suite says, else false}
   */
  readonly kubectl?: boolean;
}

/** Tests of one file that run on a real control plane and on the embedded server. */
export interface PlaneSuite {
  /** Adds a test for both. Each gets the server of its kind that the file's tests share. */
  test(
    name: string,
    fn: (plane: Plane, t: Deno.TestContext) => void | Promise<void>,
    options?: PlaneTestOptions,
  ): void;
}

/**
 * Creates a suite like {@linkcode realSuite}, each test of which also runs on an embedded server in
 * a process of its own, with `(embedded server)` in its name.
 */
export function planeSuite(
  options:
    & EmbeddedPlaneOptions
    & Pick<PlaneTestOptions, "kubectl">
    & Pick<ControlPlaneOptions, "controllers"> = {},
): PlaneSuite {
  const real = realSuite(options);
  const embeds = asked.includes("embedded") && Deno.build.os !== "windows";
  let embedded: EmbeddedPlane | undefined;
  if (embeds) {
    Deno.test.beforeAll(async () => {
      embedded = await EmbeddedPlane.start(options);
    });
    Deno.test.afterAll(async () => {
      await embedded?.[Symbol.asyncDispose]();
    });
  }
  return {
    test: (name, fn, { realOnly, kubectl = options.kubectl } = {}) => {
      real.test(name, fn);
      if (realOnly) return;
      Deno.test({
        name: `${name} (embedded server)`,
        ignore: !embeds || kubectl === true && !isOnPath("kubectl"),
        fn: (t) => fn(embedded!, t),
      });
    },
  };
}
