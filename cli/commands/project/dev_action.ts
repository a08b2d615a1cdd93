import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatTime } from "@xca/apimachinery/meta";
import { type ClientConfig, loadConfig } from "../../../lib/client/mod.ts";
import { findProject, type Project } from "../../../lib/project/mod.ts";
import type { CliContext } from "../../context.ts";
import { devLoop } from "../../dev/dev_loop.ts";
import { startProcess } from "../../dev/dev_process.ts";
import { sourceSaves } from "../../dev/source_saves.ts";
import type { ExitCode } from "../../exit_code.ts";
import { configOverrides, CONNECTION_FLAGS, flagWord } from "../../global_flags.ts";
import { interruptible } from "../../interruptible.ts";
import { LAUNCH } from "../../module/load_failure.ts";
import { UsageError } from "../../usage_error.ts";
import type { DevFlags } from "./dev.ts";

/**
 * Runs `kubectl xca dev`: runs the operator of the current folder's project, and restarts it at
 * each save, until the command is interrupted. Returns the exit code of the interrupt.
 *
 * @throws {ProjectError} When the folder is in no project.
 * @throws {UsageError} When the plugin is a compiled binary.
 */
export async function dev(flags: DevFlags, context: CliContext): Promise<ExitCode> {
  const project = await findProject(Deno.cwd(), context.host);
  if (LAUNCH === "binary") {
    throw new UsageError(
      "a compiled plugin knows no import map: use the plugin of deno task plugin, or that of a clone",
    );
  }
  using stop = interruptible(context);
  const say = (line: string): void => context.err(`${clockTime(context)} ${line}\n`);
  await using embedded = flags.embedded ? await startOwn(flags, context) : undefined;
  const config = embedded?.config ?? await loadConfig(configOverrides(flags), context.host);
  await embedded?.seed();
  say(
    embedded
      ? `an API server is at ${embedded.url}; kubectl --kubeconfig ${embedded.kubeconfigPath} reaches it`
      : `on ${config.server}`,
  );
  const args = await processArgs(project, { flags, config, kubeconfig: embedded?.kubeconfigPath });
  using watcher = Deno.watchFs(project.folder);
  stop.signal.addEventListener("abort", () => watcher.close(), { once: true });
  await devLoop({
    start: () =>
      startProcess({
        args,
        folder: project.folder,
        clock: context.clock,
        signal: stop.signal,
        say,
        out: context.out,
      }),
    saves: sourceSaves(pathsOf(watcher), {
      folder: project.folder,
      clock: context.clock,
      signal: stop.signal,
    }),
    say,
  });
  return stop.code();
}

async function startOwn(
  flags: DevFlags,
  context: CliContext,
): Promise<Awaited<ReturnType<typeof import("../../embedded/embedded_server.ts").startEmbedded>>> {
  const { startEmbedded } = await import("../../embedded/embedded_server.ts");
  return await startEmbedded(flags, context);
}

async function* pathsOf(watcher: Deno.FsWatcher): AsyncGenerator<readonly string[]> {
  for await (const { kind, paths } of watcher) if (kind !== "access") yield paths;
}

/** Returns the time of day in UTC, such as `14:03:05`, for an output line of `kubectl xca dev`. */
function clockTime({ clock }: CliContext): string {
  return formatTime(clock.now()).slice(11, 19);
}

/**
 * The cluster on which `kubectl xca dev` runs a project's operator, and the flags of the command.
 */
export interface Cluster {
  readonly flags: DevFlags;
  readonly config: ClientConfig;
  /**
   * The path of the kubeconfig file of the embedded API server; `undefined` for another cluster.
   */
  readonly kubeconfig: string | undefined;
}

/**
 * Returns the command-line arguments of the `deno` command that starts the process of a project's
 * operator.
 */
export async function processArgs(
  project: Project,
  { flags, config, kubeconfig }: Cluster,
): Promise<string[]> {
  const runs = config.credentials?.exec || config.credentials?.authProvider;
  const given = kubeconfig === undefined
    ? [...CONNECTION_FLAGS, "requestTimeout" as const].flatMap((name) => wordsOf(name, flags[name]))
    : ["--kubeconfig", kubeconfig];
  const host = flags.webhookHost ?? (isLocal(config.server) ? "127.0.0.1" : undefined);
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-net",
    "--allow-read",
    "--allow-env",
    ...runs ? ["--allow-run"] : [],
    ...await configWords(project),
    Deno.mainModule,
    "__dev",
    join(project.folder, project.operator),
    ...given,
    ...(flags.namespaces ?? []).flatMap((each) => each === "" ? [] : ["-n", each]),
    ...wordsOf("v", flags.v),
    ...wordsOf("logFormat", flags.logFormat),
    ...wordsOf("webhookHost", host),
  ];
}

function wordsOf(name: string, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flagWord(name)];
  return [value].flat().flatMap((each) => [flagWord(name), String(each)]);
}

/**
 * Reports whether the URL of an API server has a loopback host, so that the server calls webhooks
 * at 127.0.0.1.
 */
function isLocal(server: string): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(new URL(server).hostname);
}

/**
 * Returns the command-line arguments of `deno` that select the import map of a project. A plugin
 * that runs from its sources needs the names of its own packages: the names in the project's
 * `deno.json` suffice when the project links to the same clone of the library; otherwise the
 * `deno.json` of the clone is used.
 */
async function configWords({ folder }: Project): Promise<string[]> {
  const config = join(folder, "deno.json");
  if (LAUNCH === "bundle") return [`--config=${config}`];
  const clone = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "");
  const text = await Deno.readTextFile(config).catch(() => "");
  const links = /"links":\s*\[([^\]]*)\]/.exec(text)?.[1] ?? "";
  return links.includes(JSON.stringify(clone))
    ? [`--config=${config}`, "--no-lock"]
    : [`--config=${clone}/deno.json`, "--no-lock"];
}
