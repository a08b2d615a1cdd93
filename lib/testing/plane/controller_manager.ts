import { join } from "node:path";
import { type Clock, delay, errorText } from "@xca/apimachinery/base";
import { type ControlPlaneAssets, ControlPlaneUnavailable } from "./control_plane_assets.ts";
import { findFreePort } from "../free_port.ts";
import { GuardedProcess } from "./guarded_process.ts";

/** Options for {@linkcode ControllerManager}, a kube-controller-manager for tests. */
export interface ControllerManagerOptions {
  /** The path of the kube-controller-manager program; see {@linkcode requireControllerManager}. */
  readonly program: string;
  /**
   * The folder with the certificates of the control plane ({@linkcode writeApiserverFiles}), which
   * receives the program's log too.
   */
  readonly folder: string;
  /** The path of the administrator's kubeconfig file. */
  readonly kubeconfigPath: string;
  /** The names of the controllers that kube-controller-manager runs. */
  readonly controllers: readonly string[];
  /** An HTTP client that trusts the control plane's authority. */
  readonly http: Deno.HttpClient;
  /** The time limit for the start of kube-controller-manager, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Returns the path of the kube-controller-manager program.
 *
 * @throws {ControlPlaneUnavailable} When the assets lack the program.
 */
export function requireControllerManager(assets: ControlPlaneAssets): string {
  if (assets.kubeControllerManager !== undefined) return assets.kubeControllerManager;
  throw new ControlPlaneUnavailable(
    "Cannot run controllers: no kube-controller-manager beside kube-apiserver; build it with " +
      "`deno task control-plane:build --controller-manager` (needs Go), and leave " +
      "KUBEBUILDER_ASSETS unset where its folder lacks the program",
  );
}

/** A kube-controller-manager that runs the selected ones of its controllers on a control plane. */
export class ControllerManager implements AsyncDisposable {
  /** The process of kube-controller-manager. */
  readonly process: GuardedProcess;
  readonly #url: string;

  private constructor(process: GuardedProcess, url: string) {
    this.process = process;
    this.#url = url;
  }

  /**
   * Starts kube-controller-manager, and resolves when it is healthy.
   *
   * @throws {Error} When the process ends or is not healthy in time.
   */
  static async start(options: ControllerManagerOptions): Promise<ControllerManager> {
    const port = findFreePort();
    const manager = new ControllerManager(
      GuardedProcess.create({
        program: options.program,
        args: managerArgs(options, port),
        logFile: join(options.folder, "kube-controller-manager.log"),
        removeOnOrphan: options.folder,
      }),
      `https://127.0.0.1:${port}/healthz`,
    );
    try {
      await manager.process.start();
      await manager.#untilHealthy(options);
      return manager;
    } catch (error) {
      await manager[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Kills kube-controller-manager and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }

  async #untilHealthy({ http, timeoutMs, clock }: ControllerManagerOptions): Promise<void> {
    const deadline = clock.monotonicMs() + timeoutMs;
    for (;;) {
      const why = await this.#notHealthy(http);
      if (why === "") return;
      if (!await this.process.running()) {
        throw new Error("Cannot start kube-controller-manager: it ended");
      }
      if (clock.monotonicMs() > deadline) {
        throw new Error(
          `Cannot start kube-controller-manager: not healthy within ${timeoutMs} ms (${why})`,
        );
      }
      await delay(50, { clock });
    }
  }

  async #notHealthy(client: Deno.HttpClient): Promise<string> {
    try {
      const response = await fetch(this.#url, { client });
      const text = await response.text();
      return response.ok ? "" : `${response.status} ${text.slice(0, 500)}`;
    } catch (error) {
      return errorText(error);
    }
  }
}

function managerArgs(options: ControllerManagerOptions, port: number): string[] {
  const { folder, kubeconfigPath, controllers } = options;
  return [
    `--kubeconfig=${kubeconfigPath}`,
    `--controllers=${controllers.join(",")}`,
    "--leader-elect=false",
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--tls-cert-file=${join(folder, "serving.crt")}`,
    `--tls-private-key-file=${join(folder, "serving.key")}`,
    `--root-ca-file=${join(folder, "ca.crt")}`,
    `--cluster-signing-cert-file=${join(folder, "ca.crt")}`,
    `--cluster-signing-key-file=${join(folder, "ca.key")}`,
    `--service-account-private-key-file=${join(folder, "service-account.key")}`,
    "--use-service-account-credentials=false",
    "--profiling=false",
    // The defaults of 20 requests a second would make tests wait for its client.
    "--kube-api-qps=1000",
    "--kube-api-burst=2000",
  ];
}
