import manifest from "../../../deno.json" with { type: "json" };
import { packagePlugin } from "../../../plugin/package.ts";
import type { Plane } from "../planes/plane.ts";

/** The outcome of a call of the plugin. */
export interface PluginOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running call of the plugin. */
export interface PluginProcess extends AsyncDisposable {
  readonly pid: number;
  /** The output so far, of both streams. */
  readonly output: () => string;
  /** Sends a signal to the process. */
  kill(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<number>;
}

/** Runs `kubectl xca ...` to its end, with the real kubectl and the plugin's launcher on PATH. */
export async function kubectlXca(
  plane: Plane,
  ...args: readonly string[]
): Promise<PluginOutcome> {
  return await outcomeOf(kubectlWithPlugin(plane, "xca", ...args));
}

/**
 * Runs `kubectl xca run ./operator.ts ...` in a user's project: a folder of its own, with the module
 * and a configuration that maps the package's name.
 */
export async function kubectlXcaRun(
  plane: Plane,
  module: string,
  ...args: readonly string[]
): Promise<PluginOutcome> {
  return await outcomeOf(await runCommand(plane, module, args));
}

/** Starts `kubectl xca run ./operator.ts ...` like {@linkcode runInProject}; disposal kills it. */
export async function startKubectlXcaRun(
  plane: Plane,
  module: string,
  ...args: readonly string[]
): Promise<PluginProcess> {
  return start(await runCommand(plane, module, args));
}

async function runCommand(
  plane: Plane,
  module: string,
  args: readonly string[],
): Promise<Deno.Command> {
  const folder = `${plane.dir}/project`;
  await Deno.mkdir(folder, { recursive: true });
  const doors = Object.entries(manifest.exports).map(([door, path]) => [
    `${manifest.name}${door.slice(1)}`,
    new URL(`../../../${path}`, import.meta.url).href,
  ]);
  const imports = { ...manifest.imports, ...Object.fromEntries(doors) };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, lock: false }));
  await Deno.writeTextFile(`${folder}/operator.ts`, module);
  return kubectlIn(folder, plane, "xca", "run", "./operator.ts", ...args);
}

async function outcomeOf(command: Deno.Command): Promise<PluginOutcome> {
  const { code, stdout, stderr } = await command.output();
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** Starts `kubectl xca ...`; disposal kills it. */
export function startKubectlXca(plane: Plane, ...args: readonly string[]): PluginProcess {
  return start(kubectlWithPlugin(plane, "xca", ...args));
}

function start(command: Deno.Command): PluginProcess {
  const child = command.spawn();
  let output = "";
  const readers = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output += text;
  });
  const ended = Promise.all([child.status, ...readers]).then(([{ code }]) => code);
  const kill = (signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void => {
    try {
      child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // It has ended already.
    }
  };
  return {
    pid: child.pid,
    output: () => output,
    kill,
    ended,
    async [Symbol.asyncDispose]() {
      kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Assembles the plugin as users have it, in the control plane's folder. Call it once, before the
 * other functions.
 */
export async function installPlugin(plane: Plane): Promise<void> {
  await packagePlugin(pluginFolder(plane));
}

function pluginFolder(plane: Plane): string {
  return `${plane.dir}/plugin`;
}

/** A call of the real kubectl that finds the plugin's files on PATH. */
export function kubectlWithPlugin(plane: Plane, ...args: readonly string[]): Deno.Command {
  return kubectlIn(plane.dir, plane, ...args);
}

function kubectlIn(cwd: string, plane: Plane, ...args: readonly string[]): Deno.Command {
  return new Deno.Command("kubectl", {
    args: [...args],
    cwd,
    env: {
      PATH: `${pluginFolder(plane)}:${Deno.env.get("PATH")}`,
      KUBECONFIG: plane.kubeconfigPath,
      // The cache of the home is by port, which an earlier server may have had.
      KUBECACHEDIR: `${plane.dir}/kubectl-cache`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
