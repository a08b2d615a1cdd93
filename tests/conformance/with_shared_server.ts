/**
 * Runs `deno` with one kube-apiserver for all conformance suites that can share it, in
 * `XCA_CONFORMANCE_KUBECONFIG`:
 *
 * ```sh
 * deno run -A tests/conformance/with_shared_server.ts test -A --parallel tests/conformance
 * ```
 *
 * Otherwise each of these test files starts a server, which takes longer than most of its cases.
 * `deno` runs without the variable where no control plane is built, and where `XCA_TEST_SERVERS`
 * leaves out the real one.
 *
 * @module
 */
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { realIsHere } from "../real/suite.ts";
import { SHARED_KUBECONFIG } from "./servers.ts";

const isWanted = realIsHere && (Deno.env.get("XCA_TEST_SERVERS") ?? "real").includes("real") &&
  Deno.env.get(SHARED_KUBECONFIG) === undefined;
// An interrupt reaches the tests too; this process removes the server after their end.
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});

Deno.exit(await run());

async function run(): Promise<number> {
  await using plane = isWanted ? await ControlPlane.start() : undefined;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: Deno.args,
    env: plane ? { [SHARED_KUBECONFIG]: plane.kubeconfigPath } : {},
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  return code;
}
