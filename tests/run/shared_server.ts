/**
 * The kube-apiserver that the conformance suites of a run share, if they can. Otherwise each of
 * these test files starts a server, which takes longer than most of its cases.
 *
 * @module
 */
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { SHARED_KUBECONFIG } from "../conformance/servers.ts";
import { realIsHere } from "../real/suite.ts";

/** A kube-apiserver that suites share. */
export interface SharedServer extends AsyncDisposable {
  /** The environment variables by which the suites find the server. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts kube-apiserver. Returns `undefined` where no control plane is built, where
 * `XCA_TEST_SERVERS` excludes the real server, and where `XCA_CONFORMANCE_KUBECONFIG` names a server
 * already.
 */
export async function startSharedServer(): Promise<SharedServer | undefined> {
  const isWanted = realIsHere && (Deno.env.get("XCA_TEST_SERVERS") ?? "real").includes("real") &&
    Deno.env.get(SHARED_KUBECONFIG) === undefined;
  if (!isWanted) return undefined;
  const plane = await ControlPlane.start();
  return {
    environment: { [SHARED_KUBECONFIG]: plane.kubeconfigPath },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}
