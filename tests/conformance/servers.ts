/**
 * The embedded server and kube-apiserver, started when they are needed. With
 * `XCA_CONFORMANCE_KUBECONFIG` the real server is one that runs already, which suites share unless
 * their options exclude it.
 *
 * @module
 */
import { loadConfig } from "../../lib/client/kubeconfig/load_config.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { realIsHere } from "../real/suite.ts";
import type { Send } from "./target.ts";

/** The servers of a suite. */
export interface SuiteOptions {
  /** Flags for kube-apiserver; what they ask for is the embedded server's default. */
  readonly apiserverFlags?: readonly string[];
  /** The admission plugins of the embedded server besides its default ones. @default {none} */
  readonly enableAdmissionPlugins?: readonly string[];
  /** The controllers that run on both servers. @default none */
  readonly controllers?: readonly string[];
  /**
   * The option of a suite whose cases change the answers to requests in other namespaces: no case
   * runs beside another, and the suite has a separate server.
   *
   * @default {false}
   */
  readonly oneByOne?: boolean;
  /**
   * The option of a suite whose cases change the answers that other suites get: the suite has a
   * separate server.
   *
   * @default {that of `oneByOne`}
   */
  readonly ownServer?: boolean;
  /** Servers of the suite outlive its cases, with their connections. @default {false} */
  readonly keepsServers?: boolean;
}

/** The environment variable with the kubeconfig of a kube-apiserver that suites share. */
export const SHARED_KUBECONFIG = "XCA_CONFORMANCE_KUBECONFIG";

/** The two servers of a file, each started when the first case needs it. */
export class Servers implements AsyncDisposable {
  readonly #options: SuiteOptions;
  readonly #stack = new AsyncDisposableStack();
  #embedded: Promise<Send> | undefined;
  #real: Promise<Send> | undefined;
  #front: Promise<string> | undefined;
  #plane: Promise<ControlPlane> | undefined;

  constructor(options: SuiteOptions) {
    this.#options = options;
  }

  /**
   * Starts what cases will ask for, before the first of them: what lives longer than a case is no leak
   * of it. A real server that cannot be started fails the cases that ask for it.
   */
  async start(): Promise<void> {
    const embedded = await this.embedded();
    await (await embedded("/readyz", {})).body?.cancel();
    if (realIsHere) await this.real().catch(() => {});
  }

  /** Starts the servers of a suite with kubectl. */
  async startForKubectl(): Promise<void> {
    if (!realIsHere) return;
    await this.embeddedKubeconfig();
    await this.realKubeconfig();
  }

  embedded(): Promise<Send> {
    return this.#embedded ??= this.#embed();
  }

  /** Loaded here, so that records can be taken while the embedded server is being changed. */
  async #embed(): Promise<Send> {
    const { ApiServer } = await import("../../lib/apiserver/server.ts");
    const server = this.#stack.use(
      await ApiServer.start({
        controllers: this.#options.controllers ?? false,
        enableAdmissionPlugins: this.#options.enableAdmissionPlugins ?? [],
      }),
    );
    return (path, init) => server.fetch(new Request(`https://embedded.invalid${path}`, init));
  }

  real(): Promise<Send> {
    const kubeconfig = this.#sharedKubeconfig();
    return this.#real ??= kubeconfig ? this.#shared(kubeconfig) : this.#started();
  }

  /** The kubeconfig of the server that this suite shares with others, if it does. */
  #sharedKubeconfig(): string | undefined {
    const { apiserverFlags, controllers, oneByOne, ownServer = oneByOne } = this.#options;
    if (apiserverFlags || controllers || ownServer) return undefined;
    return Deno.env.get(SHARED_KUBECONFIG);
  }

  async #started(): Promise<Send> {
    const plane = this.#stack.use(await ControlPlane.start(this.#options));
    return (path, init) => plane.fetch(path, init);
  }

  async #shared(kubeconfig: string): Promise<Send> {
    const { server, tls } = await loadConfig({ kubeconfig });
    const client = Deno.createHttpClient({
      caCerts: [tls!.caData!],
      cert: tls!.certData!,
      key: tls!.keyData!,
      http2: false,
    });
    this.#stack.defer(() => client.close());
    return (path, init) => fetch(server + path, { ...init, client });
  }

  /** The file that leads kubectl to kube-apiserver. */
  async realKubeconfig(): Promise<string> {
    const kubeconfig = this.#sharedKubeconfig();
    if (kubeconfig) return kubeconfig;
    this.#plane ??= ControlPlane.start(this.#options).then((plane) => this.#stack.use(plane));
    return (await this.#plane).kubeconfigPath;
  }

  /** The file that leads kubectl to the embedded server. */
  embeddedKubeconfig(): Promise<string> {
    return this.#front ??= this.#serve();
  }

  async #serve(): Promise<string> {
    const { ApiServer } = await import("../../lib/apiserver/server.ts");
    const { ApiFront } = await import("../../lib/apiserver/front/api_front.ts");
    const { openServerKeys } = await import("../../lib/apiserver/front/server_keys.ts");
    const server = this.#stack.use(await ApiServer.start());
    const front = this.#stack.use(
      await ApiFront.listen({
        fetch: (request, peer) => server.fetch(request, peer),
        keys: await openServerKeys({ now: new Date(), hosts: ["127.0.0.1"] }),
      }),
    );
    const path = await Deno.makeTempFile({ prefix: "xca-kubeconfig-" });
    this.#stack.defer(() => Deno.remove(path));
    await Deno.writeTextFile(path, front.kubeconfig);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
