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

/** Runs kubectl to its end, whatever its exit code. */
export async function kubectlOutcome(
  plane: Plane,
  args: readonly string[],
  options: { readonly stdin?: string; readonly webSockets?: boolean } = {},
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
