import { cacheClientNode } from "../packaging/client_node.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** The output of a process. */
export interface Printed {
  /** The standard output. */
  readonly stdout: string;
  /** The standard error. */
  readonly stderr: string;
}

/**
 * Runs `permitted_client.ts` in a process with the given permissions and environment, and no
 * others.
 */
export async function runPermitted(
  flags: readonly string[],
  { env, args, config = "deno.json" }: {
    readonly env: Readonly<Record<string, string>>;
    readonly args: readonly string[];
    /** The configuration of the process, from the root of the repository. */
    readonly config?: string | undefined;
  },
): Promise<Printed> {
  if (config !== "deno.json") await cacheClientNode();
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--cached-only",
      "--no-check",
      `--config=${root}${config}`,
      ...flags,
      `${root}tests/support/operators/permitted_client.ts`,
      ...args,
    ],
    clearEnv: true,
    env: { DENO_DIR: cacheFolder(), PATH: Deno.env.get("PATH") ?? "", ...env },
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { stdout: decode(stdout), stderr: decode(stderr) };
}

/** Returns the cache folder of this runtime, which the process uses too. */
function cacheFolder(): string {
  const { DENO_DIR, XDG_CACHE_HOME, HOME } = Deno.env.toObject();
  return DENO_DIR ?? `${XDG_CACHE_HOME ?? `${HOME}/.cache`}/deno`;
}
