/**
 * The two servers that the suite runs on, alone or with the programs of a cluster beside them.
 *
 * @module
 */
import { ApiFront } from "../../lib/apiserver/front/api_front.ts";
import { keyFolder, openServerKeys } from "../../lib/apiserver/front/server_keys.ts";
import { ApiServer } from "../../lib/apiserver/server.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { startCluster } from "./cluster.ts";

/** A running server, until it is disposed of. */
export interface SuiteServer extends AsyncDisposable {
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
}

/** Options for {@linkcode startReal} and {@linkcode startEmbedded}. */
export interface SuiteServerOptions {
  /** The folder for kubeconfig, keys and logs. */
  readonly folder: string;
  /** Sets whether to start controllers, a scheduler and nodes beside the API server. */
  readonly cluster: boolean;
}

/**
 * Starts etcd and kube-apiserver. The server registers itself in `endpoints/kubernetes`, as one of a
 * cluster does, with an address for documentation (RFC 5737).
 */
export async function startReal({ folder, cluster }: SuiteServerOptions): Promise<SuiteServer> {
  await using stack = new AsyncDisposableStack();
  const plane = stack.use(
    await ControlPlane.start({
      apiserverFlags: ["--endpoint-reconciler-type=lease", "--advertise-address=192.0.2.1"],
    }),
  );
  const kubeconfig = plane.kubeconfigPath;
  if (cluster) stack.use(await startCluster({ folder, kubeconfig, pki: plane.dir }));
  const all = stack.move();
  return { kubeconfig, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}

/** Starts the embedded server behind TLS. */
export async function startEmbedded(
  { folder, cluster }: SuiteServerOptions,
): Promise<SuiteServer> {
  await using stack = new AsyncDisposableStack();
  const pki = `${folder}/pki`;
  const keys = await openServerKeys({
    now: new Date(),
    hosts: ["127.0.0.1"],
    store: keyFolder(pki),
  });
  const server = stack.use(await ApiServer.start({ serviceAccountKey: keys.signingKey }));
  const front = stack.use(
    await ApiFront.listen({ fetch: (request, peer) => server.fetch(request, peer), keys }),
  );
  const kubeconfig = `${folder}/embedded.kubeconfig`;
  await Deno.writeTextFile(kubeconfig, front.kubeconfig, { mode: 0o600 });
  if (cluster) stack.use(await startCluster({ folder, kubeconfig, pki }));
  const all = stack.move();
  return { kubeconfig, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}
