/**
 * The two servers that the suite runs on, each as one would set it up for others to use.
 *
 * @module
 */
import { ApiFront } from "../../lib/apiserver/front/api_front.ts";
import { openServerKeys } from "../../lib/apiserver/front/server_keys.ts";
import { ApiServer } from "../../lib/apiserver/server.ts";
import { ControlPlane } from "../../lib/testing/control_plane.ts";

/** A running server, until it is disposed of. */
export interface SuiteServer extends AsyncDisposable {
  /** The file that leads to it as its administrator. */
  readonly kubeconfig: string;
}

/**
 * Starts etcd and kube-apiserver, which tell of themselves in `endpoints/kubernetes` as a server of a
 * cluster does; the address is one that nobody has.
 */
export async function startReal(): Promise<SuiteServer> {
  const plane = await ControlPlane.start({
    apiserverFlags: ["--endpoint-reconciler-type=lease", "--advertise-address=192.0.2.1"],
  });
  return {
    kubeconfig: plane.kubeconfigPath,
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

/** Starts the embedded server behind TLS. `folder` takes its kubeconfig. */
export async function startEmbedded(folder: string): Promise<SuiteServer> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await ApiServer.start());
  const front = stack.use(
    await ApiFront.listen({
      fetch: (request, peer) => server.fetch(request, peer),
      keys: await openServerKeys({ now: new Date(), hosts: ["127.0.0.1"] }),
    }),
  );
  const kubeconfig = `${folder}/embedded.kubeconfig`;
  await Deno.writeTextFile(kubeconfig, front.kubeconfig, { mode: 0o600 });
  const all = stack.move();
  return { kubeconfig, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}
