/**
 * Builds the Go programs that check generated projects, from the Go modules beside this file, into a
 * folder beside that of the control plane: helm, and `olm-check` with the validation library of Operator
 * Framework. A program that is up to date is left alone.
 *
 * ```sh
 * deno task project-tools:build
 * deno task project-tools:build --cert-manager # cert-manager's controllers alone, which take minutes
 * ```
 *
 * @module
 */
import { join } from "node:path";
import { go } from "../control_plane/module.ts";
import {
  CERT_MANAGER,
  PROJECT_TOOLS,
  type ProjectTool,
  projectToolsFolder,
} from "./project_tools.ts";

const HERE = import.meta.dirname!;

/** Builds one program, into a temporary folder first, so that no half-written one is found. */
async function build(tool: ProjectTool): Promise<void> {
  const { name, module, pkg, files } = tool;
  const folder = projectToolsFolder();
  await Deno.mkdir(folder, { recursive: true });
  const path = join(folder, name);
  const source = join(HERE, module);
  const stamp = await stampOf(source);
  if (await isBuilt(path, stamp)) return say(`${name}: up to date`);
  say(`${name}: building`);
  const begin = performance.now();
  const fresh = await Deno.makeTempDir({ dir: folder, prefix: "build-" });
  try {
    const built = join(fresh, name);
    await go(source, ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", built, pkg]);
    await Deno.rename(built, path);
    if (files) await copyFolder(source, files, `${path}.files`);
    await Deno.writeTextFile(`${path}.stamp`, stamp);
  } finally {
    await Deno.remove(fresh, { recursive: true });
  }
  say(`${name}: built in ${Math.round((performance.now() - begin) / 1000)} s`);
}

/** Copies a folder of a Go module, which the module in `source` requires. */
async function copyFolder(
  source: string,
  { module, folder }: NonNullable<ProjectTool["files"]>,
  target: string,
): Promise<void> {
  const root = (await go(source, ["list", "-m", "-f", "{{.Dir}}", module], "piped")).trim();
  await Deno.mkdir(target, { recursive: true });
  for await (const { name, isFile } of Deno.readDir(join(root, folder))) {
    if (!isFile) continue;
    await Deno.writeFile(join(target, name), await Deno.readFile(join(root, folder, name)));
  }
}

async function isBuilt(path: string, stamp: string): Promise<boolean> {
  const built = await Deno.readTextFile(`${path}.stamp`).catch(() => undefined);
  return built === stamp && await Deno.stat(path).then(() => true, () => false);
}

/** Returns a hash of the inputs of a build: compiler, modules, sources. */
async function stampOf(folder: string): Promise<string> {
  const names = (await Array.fromAsync(Deno.readDir(folder)))
    .filter(({ isFile }) => isFile).map(({ name }) => name).sort();
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(join(folder, name))));
  const inputs = [await go(folder, ["version"], "piped"), ...texts].join("\n");
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inputs));
  return new Uint8Array(hash).toHex();
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  try {
    const tools = Deno.args.includes("--cert-manager") ? [CERT_MANAGER] : PROJECT_TOOLS;
    for (const tool of tools) await build(tool);
    say(`the tools of projects are in ${projectToolsFolder()}`);
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${(error as Error).message}\n`));
    Deno.exit(1);
  }
}
