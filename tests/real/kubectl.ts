import { join } from "node:path";
import type { ControlPlaneUser } from "../../lib/testing/plane/control_plane.ts";
import type { Plane } from "../support/planes/plane.ts";

/** Options for {@linkcode kubectl}. */
export interface KubectlOptions {
  /** The standard input of kubectl. */
  readonly stdin?: string;
  /** The user of kubectl. @default {plane.admin} */
  readonly user?: ControlPlaneUser;
}

/**
 * Runs the kubectl on PATH against a control plane and returns what it printed. It reads and writes
 * nothing in the home folder.
 *
 * @throws {Error} When it fails; the message has what it wrote to standard error.
 */
export async function kubectl(
  plane: Plane,
  args: readonly string[],
  options: KubectlOptions = {},
): Promise<string> {
  const { stdin, user = plane.admin } = options;
  const child = new Deno.Command("kubectl", {
    args: [
      `--kubeconfig=${user.kubeconfigPath}`,
      `--cache-dir=${join(plane.dir, "kubectl-cache")}`,
      ...args,
    ],
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) await new Response(stdin).body!.pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  if (code !== 0) {
    const text = new TextDecoder().decode(stderr).trim();
    throw new Error(`Cannot kubectl ${args.join(" ")}: exit ${code}: ${text}`);
  }
  return new TextDecoder().decode(stdout);
}
