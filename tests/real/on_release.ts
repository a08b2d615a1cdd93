/**
 * Runs the tests on a real control plane of another release, built before:
 * `deno run -A tests/real/on_release.ts v1.34.4`.
 *
 * @module
 */
import { controlPlaneCacheDir } from "../../lib/testing/mod.ts";

const [release] = Deno.args;
if (!release) throw new Error("Cannot run the tests without a release: on_release.ts v1.34.4");

const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["task", "test:real"],
  env: { KUBEBUILDER_ASSETS: controlPlaneCacheDir(release) },
  stdout: "inherit",
  stderr: "inherit",
}).output();
Deno.exit(code);
