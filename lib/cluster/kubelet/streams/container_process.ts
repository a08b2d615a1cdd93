// Mirrors `kubelet/pkg/cri/streaming/remotecommand/exec.go, ServeExec`.
import type { ReadPod } from "../../pods/pod_state.ts";
import type { PortStreams, ProcessStreams, TerminalSize } from "./stream_context.ts";

/** A process in a simulated container, which `kubectl exec` or `kubectl attach` talks to. */
export interface ContainerProcess {
  /** The pod of the container that the process runs in. */
  readonly pod: ReadPod;
  /** The name of the container that the process runs in. */
  readonly container: string;
  /** The arguments of the process, the program first; empty for `attach`. */
  readonly argv: readonly string[];
  /** The standard input of the process, until its end; empty when the client sends none. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /**
   * Reports whether the process has a terminal. A process with a terminal has no standard error of
   * its own.
   */
  readonly tty: boolean;
  /**
   * The terminal sizes of the process: the initial size, and each change; none for a process
   * without a terminal.
   */
  readonly sizes: AsyncIterable<TerminalSize>;
  /**
   * Writes to the standard output of the process; resolves when the data is written to the
   * connection.
   */
  stdout(data: string | Uint8Array): Promise<void>;
  /**
   * Writes to the standard error of the process; resolves when the data is written to the
   * connection.
   */
  stderr(data: string | Uint8Array): Promise<void>;
}

/**
 * A connection to a port of a simulated pod, opened by `kubectl port-forward` or by a proxy request
 * through the API server.
 */
export interface PortConnection extends PortStreams {
  /** The pod to whose port the connection leads. */
  readonly pod: ReadPod;
}

/** The port of a simulated pod that an HTTP request is sent to. */
export interface PodPort {
  /** The pod to which an HTTP request is sent. */
  readonly pod: ReadPod;
  /** The number of the pod's port to which an HTTP request is sent. */
  readonly port: number;
}

/**
 * The functions that replace the programs in simulated containers.
 *
 * @example
 * ```ts
 * import type { KubeletHandlers } from "@xca/operator/cluster";
 *
 * const handlers: KubeletHandlers = {
 *   exec: async ({ argv, stdin, stdout, stderr }) => {
 *     if (argv[0] !== "cat") {
 *       await stderr(`${argv[0]}: not found\n`);
 *       return 127;
 *     }
 *     for await (const bytes of stdin) await stdout(bytes);
 *     return 0;
 *   },
 * };
 * ```
 */
export interface KubeletHandlers {
  /**
   * Runs a command that `kubectl exec` starts in a container; returns the exit code of the command.
   * The client receives an error that the function throws as a failure to execute the command.
   *
   * @default {no program exists in the container}
   */
  exec?(process: ContainerProcess): number | Promise<number>;
  /**
   * Serves `kubectl attach` to a container until the container's process ends; returns the exit
   * code of the process.
   *
   * @default {the container's log, from the time of the request}
   */
  attach?(process: ContainerProcess): number | Promise<number>;
  /**
   * Serves a connection to a port of a pod by `kubectl port-forward` or, unless `http` is given, by
   * a proxy request; the kubelet closes the connection when the function returns. The client of
   * `kubectl port-forward` receives the message of an error that the function throws; the
   * connection of a proxy request is only closed.
   *
   * @default {the function `http` answers the requests of the connection; without it the connection
   * is refused}
   */
  portForward?(connection: PortConnection): void | Promise<void>;
  /**
   * Answers an HTTP request to a port of a pod, with or without TLS: a request through the API
   * server (`kubectl get --raw /api/v1/namespaces/default/pods/web:8080/proxy/`), or, unless
   * `portForward` is given, over `kubectl port-forward`. An error that the function throws is
   * answered with status 500.
   *
   * @default {the function `portForward` serves the connection; without it the connection is
   * refused}
   */
  http?(request: Request, port: PodPort): Response | Promise<Response>;
}

/**
 * Runs the given function, which runs a process; returns the `Status` of its exit code, or of its
 * error, as JSON.
 */
export async function processStatus(run: () => number | Promise<number>): Promise<string> {
  try {
    const code = await run();
    if (code === 0) return JSON.stringify({ metadata: {}, status: "Success" });
    return JSON.stringify({
      metadata: {},
      status: "Failure",
      message: `command terminated with non-zero exit code: exit status ${code}`,
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: String(code) }] },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return JSON.stringify({
      metadata: {},
      status: "Failure",
      message: `error executing command in container: ${message}`,
      reason: "InternalError",
      details: { causes: [{ message }] },
      code: 500,
    });
  }
}

/**
 * Returns the process of a container that reads and writes the streams of an exec or attach
 * request.
 */
export function containerProcess(
  facts: Pick<ContainerProcess, "pod" | "container" | "argv">,
  { stdin, sizes, tty, out, err }: ProcessStreams,
): ContainerProcess {
  return { ...facts, stdin, sizes, tty, stdout: out, stderr: err };
}

/**
 * Throws the error of a container runtime that finds no program. It is the default handler of
 * `kubectl exec`.
 *
 * @throws {Error} Always.
 */
export function noProgram({ argv }: ContainerProcess): never {
  throw new Error(
    "failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: " +
      `unable to start container process: exec: ${
        JSON.stringify(argv[0] ?? "")
      }: executable file ` +
      "not found in $PATH",
  );
}

/**
 * Throws the error about a port on which nothing listens. It is the handler of `kubectl
 * port-forward` if neither `portForward` nor `http` is given.
 *
 * @throws {Error} Always.
 */
export function noListener({ port }: PortConnection): never {
  throw new Error(
    `failed to connect to localhost:${port} inside namespace "simulated", IPv4: dial tcp4 ` +
      `127.0.0.1:${port}: connect: connection refused`,
  );
}
