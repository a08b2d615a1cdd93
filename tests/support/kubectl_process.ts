import { join } from "node:path";
import type { Plane } from "./plane.ts";

/** What a run of kubectl came to. */
export interface KubectlOutcome {
  /** Its exit code. */
  readonly code: number;
  /** What it wrote. */
  readonly stdout: string;
  /** What it wrote to its standard error. */
  readonly stderr: string;
}

/** Starts kubectl as the administrator, over WebSockets, with nothing read or kept in the home folder. */
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
 * The message of a kubectl that has lost output. Before client-go 0.37 (tools/remotecommand/websocket.go)
 * it could read the first message of a stream before it had made the stream.
 */
const LOST_OUTPUT = /Unknown stream id \d+, discarding message/;

/** The most runs of a kubectl that loses output. */
const MOST_RUNS = 10;

/**
 * Runs kubectl to its end, whatever its exit code. A run that says that it has lost output is repeated.
 */
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
