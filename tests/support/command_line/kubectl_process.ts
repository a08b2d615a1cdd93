import { join } from "node:path";
import type { Plane } from "../planes/plane.ts";

/** The outcome of a run of kubectl. */
export interface KubectlOutcome {
  /** The exit code. */
  readonly code: number;
  /** The standard output. */
  readonly stdout: string;
  /** The standard error. */
  readonly stderr: string;
}

/**
 * Starts kubectl as the administrator, over WebSockets; kubectl neither reads nor writes the home
 * folder.
 */
export function kubectlChild(
  plane: Plane,
  args: readonly string[],
  options: { readonly stdin?: "piped" | "null"; readonly webSockets?: boolean } = {},
): Deno.ChildProcess {
  const webSockets = String(options.webSockets ?? true);
  return new Deno.Command("kubectl", {
    args: [
      `--kubeconfig=${plane.kubeconfigPath}`,
      `--cache-dir=${join(plane.dir, "kubectl-cache")}`,
      ...args,
    ],
    env: {
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: webSockets,
      KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets,
    },
    stdin: options.stdin ?? "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/**
 * The message of a kubectl that lost output. Before client-go 0.37
 * (tools/remotecommand/websocket.go) kubectl could read the first message of a stream before it had
 * created the stream.
 */
const LOST_OUTPUT = /Unknown stream id \d+, discarding message/;

/** The most runs of a kubectl that loses output. */
const MOST_RUNS = 10;

/** Runs kubectl to its end, whatever its exit code. A run that reports lost output is repeated. */
export async function kubectlOutcome(
  plane: Plane,
  args: readonly string[],
  options: { readonly stdin?: string; readonly webSockets?: boolean } = {},
): Promise<KubectlOutcome> {
  for (let runs = 1;; runs++) {
    const outcome = await runKubectl(plane, args, options);
    if (!LOST_OUTPUT.test(outcome.stderr) || runs === MOST_RUNS) return outcome;
  }
}

async function runKubectl(
  plane: Plane,
  args: readonly string[],
  options: { readonly stdin?: string; readonly webSockets?: boolean },
): Promise<KubectlOutcome> {
  const { stdin, webSockets } = options;
  const child = kubectlChild(plane, args, {
    stdin: stdin === undefined ? "null" : "piped",
    ...(webSockets === undefined ? {} : { webSockets }),
  });
  if (stdin !== undefined) await new Response(stdin).body!.pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
