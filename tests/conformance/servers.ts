/**
 * The embedded server and kube-apiserver, started when they are needed. With
 * `XCA_CONFORMANCE_KUBECONFIG` the real one is one that runs already.
 *
 * @module
 */
import { ApiServer } from "../../lib/apiserver/server.ts";
import { loadConfig } from "../../lib/client/config/load_config.ts";
import { ControlPlane } from "../../lib/testing/control_plane.ts";
import type { Send } from "./target.ts";

/** What a suite needs of its servers. */
export interface SuiteOptions {
  /** Flags for kube-apiserver; what they ask for is the embedded server's default. */
  readonly apiserverFlags?: readonly string[];
  /** The controllers that run on both servers. @default none */
  readonly controllers?: readonly string[];
}

const sharedKubeconfig = Deno.env.get("XCA_CONFORMANCE_KUBECONFIG");

/** The two servers of a file, each started when the first case needs it. */
export class Servers implements AsyncDisposable {
  readonly #options: SuiteOptions;
  readonly #stack = new AsyncDisposableStack();
  #embedded: Promise<Send> | undefined;
  #real: Promise<Send> | undefined;

  constructor(options: SuiteOptions) {
    this.#options = options;
  }

  embedded(): Promise<Send> {
    return this.#embedded ??= ApiServer.start().then((server) => {
      this.#stack.use(server);
      return (path, init) => server.fetch(new Request(`https://embedded.invalid${path}`, init));
    });
  }

  real(): Promise<Send> {
    return this.#real ??=
      sharedKubeconfig && !this.#options.apiserverFlags && !this.#options.controllers
        ? this.#shared(sharedKubeconfig)
        : this.#started();
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
