import { dirname, join } from "node:path";
import { controlPlaneCacheDir } from "../../lib/testing/plane/control_plane_assets.ts";

/** The name and the source of a Go program that checks generated projects. */
export interface ProjectTool {
  /** The name of the program. */
  readonly name: string;
  /** The folder of the program's Go module, below this one. */
  readonly module: string;
  /** The Go package of the program. */
  readonly pkg: string;
  /** The folder of a Go module that is copied beside the program, as `<name>.files`. */
  readonly files?: { readonly module: string; readonly folder: string } | undefined;
}

/**
 * The Go programs that `deno task project-tools:build` builds, but for cert-manager, whose build takes
 * minutes: `deno task test:cert-manager` builds it.
 */
export const PROJECT_TOOLS: readonly ProjectTool[] = [
  { name: "helm", module: "helm", pkg: "helm.sh/helm/v3/cmd/helm" },
  { name: "olm-check", module: "operator_framework", pkg: "." },
  { name: "project-check", module: "project_files", pkg: "." },
];

/** The controllers of cert-manager, with their definitions. */
export const CERT_MANAGER: ProjectTool = {
  name: "cert-manager",
  module: "cert_manager",
  pkg: ".",
  files: { module: "github.com/cert-manager/cert-manager", folder: "deploy/crds" },
};

/** Returns the folder of the built programs: `xca-operator/project-tools` of the cache. */
export function projectToolsFolder(): string {
  return join(dirname(dirname(controlPlaneCacheDir())), "project-tools");
}

/**
 * Returns the path of a built program. Where it is not built, returns `undefined` and says so, unless
 * `XCA_REQUIRE_PROJECT_TOOLS=1`.
 *
 * @throws {Error} When the program is not built, and is required.
 */
export function findProjectTool(name: string): string | undefined {
  const path = join(projectToolsFolder(), name);
  try {
    if (Deno.statSync(path).isFile) return path;
  } catch { /* The program is not there. */ }
  const line = `no ${name} in ${projectToolsFolder()}; ` +
    "build it with `deno task project-tools:build` (needs Go)";
  if (Deno.env.get("XCA_REQUIRE_PROJECT_TOOLS") === "1") throw new Error(line);
  Deno.stderr.writeSync(new TextEncoder().encode(`SKIPPED a test: ${line}\n`));
  return undefined;
}

/** The outcome of a program. */
export interface ToolRun {
  /** The exit code of the program. */
  readonly code: number;
  /** The text of the program's standard output. */
  readonly stdout: string;
  /** The text of the program's standard error. */
  readonly stderr: string;
}

/** Runs a built program with arguments and environment variables of its own. */
export async function runTool(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolRun> {
  const { code, stdout, stderr } = await new Deno.Command(path, { args: [...args], env }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
