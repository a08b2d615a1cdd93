/**
 * Runs the tests on a real control plane of another release, built before:
 * `deno run -A tests/real/on_release.ts v1.35.4`. The conformance cases and the comparison with the
 * controllers of kube-controller-manager are left out: the library has those of one release.
 *
 * @module
 */
import { controlPlaneCacheDir } from "../../lib/testing/mod.ts";

const [release, ...flags] = Deno.args;
if (!release) throw new Error("Cannot run the tests without a release: on_release.ts v1.35.4");

const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "--sanitize-ops",
    "--sanitize-resources",
    "--ignore=tests/real/cluster/cluster_test.ts",
    ...flags,
    "tests/real",
    "examples",
  ],
  env: {
    KUBEBUILDER_ASSETS: controlPlaneCacheDir(release),
    XCA_REQUIRE_CONTROL_PLANE: "1",
    XCA_TEST_SERVERS: "real",
  },
  stdout: "inherit",
  stderr: "inherit",
}).output();
Deno.exit(code);
