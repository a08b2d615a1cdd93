import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createApi,
  createWebhook,
  diskFiles,
  fileTree,
  findProject,
  initProject,
  type PlannedFile,
  type Project,
  type Scaffold,
  writeFiles,
} from "../../../lib/project/mod.ts";
import { shellWord } from "../../arguments.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { fileProblem } from "../../file_problem.ts";
import { LAUNCH } from "../../module/load_failure.ts";
import { UsageError } from "../../usage_error.ts";
import type { CreateApiFlags, CreateWebhookFlags } from "./create.ts";
import type { InitFlags } from "./init.ts";

/**
 * Runs `kubectl xca init`: creates a project in a folder, and prints the files that changed. Writes
 * all files or none.
 *
 * @throws {ProjectError} When a name is not valid, or a file with a different text exists, without
 * `--force`.
 * @throws {UsageError} When `--library` is no clone, or a file cannot be read or written.
 */
export async function init(
  path: string,
  { library, apiVersion, ...flags }: InitFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (path === "") {
    throw new UsageError("the folder of the project is empty: name it, or . for this one");
  }
  const folder = resolve(path);
  const clone = await cloneOf(library);
  const { files, kind, project } = initProject(folder, {
    ...flags,
    name: flags.name ?? nameOf(folder),
    domain: flags.domain ?? "example.org",
    version: apiVersion,
    clone,
    namespace: flags.namespace,
  });
  const isNew = await write({ folder, files, force: flags.force }, context);
  context.out(
    `${isNew ? "Made" : "Nothing to do for"} ${project.name}, with the kind ${kind.kind} of ` +
      `${kind.group}/${kind.version}.\n`,
  );
  if (clone === undefined) {
    context.err(
      "deno.json imports @xca/operator from a registry; where none has it, call this with --library and " +
        "the folder of a clone\n",
    );
  }
  const going = folder === Deno.cwd()
    ? ""
    : `cd ${shellWord(path.startsWith("-") ? `./${path}` : path)} && `;
  context.out(`Next: ${going}deno task test\n`);
  return ExitCode.ok;
}

/**
 * Runs `kubectl xca create api`: adds a kind to the project of the current folder, and prints the
 * files that changed and the lines to add by hand.
 *
 * @throws {ProjectError} When the folder is in no project, a name is not valid, or a file with a
 * different text exists, without `--force`.
 * @throws {UsageError} When `--kind` is missing, or a file cannot be read or written.
 */
export async function createKind(
  { kind, group, apiVersion, plural, resource, controller, force }: CreateApiFlags,
  context: CliContext,
): Promise<ExitCode> {
  const project = await findProject(Deno.cwd(), context.host);
  const given = { kind: required(kind), group, version: apiVersion, plural, resource, controller };
  const scaffold = await onDisk(project.folder, () => createApi(project, given, diskFiles));
  return await add(project, scaffold, { force, next: "deno task test" }, context);
}

/**
 * Runs `kubectl xca create webhook`: adds webhooks to the project of the current folder, and prints
 * the files that changed and the lines to add by hand.
 *
 * @throws {ProjectError} When the folder is in no project, the project lacks the kind, neither
 * webhook is chosen, or a file with a different text exists, without `--force`.
 * @throws {UsageError} When `--kind` is missing, or a file cannot be read or written.
 */
export async function createWebhooks(
  { kind, apiVersion, defaulting, validation, force }: CreateWebhookFlags,
  context: CliContext,
): Promise<ExitCode> {
  const project = await findProject(Deno.cwd(), context.host);
  const given = { kind: required(kind), version: apiVersion, defaulting, validation };
  const scaffold = await onDisk(project.folder, () => createWebhook(project, given, diskFiles));
  return await add(project, scaffold, { force, next: "deno task test" }, context);
}

/** Options of {@linkcode add}, which adds generated files to a project. */
interface AddOptions {
  readonly force: boolean | undefined;
  /** The command that the user is advised to run after the files are generated. */
  readonly next: string;
}

async function add(
  { folder, operator }: Project,
  { files, byHand }: Scaffold,
  { force, next }: AddOptions,
  context: CliContext,
): Promise<ExitCode> {
  const isNew = await write({ folder, files, force }, context);
  if (!isNew) context.out("Nothing to do: the project has all of it.\n");
  if (byHand.length > 0) {
    context.out(`${operator} has no comments xca: for these lines; add them by hand:\n`);
    for (const line of byHand) context.out(`  ${line}\n`);
  }
  context.out(`Next: ${next}\n`);
  return ExitCode.ok;
}

/**
 * Writes generated files to a project, prints the tree of the files that changed, and reports
 * whether a file changed.
 */
async function write(
  { folder, files, force }: {
    readonly folder: string;
    readonly files: readonly PlannedFile[];
    readonly force: boolean | undefined;
  },
  context: CliContext,
): Promise<boolean> {
  const written = await onDisk(folder, () => writeFiles(folder, files, diskFiles, { force }));
  const changed = written.filter(({ change }) => change !== "unchanged");
  if (changed.length > 0) {
    context.out([folder, ...fileTree(changed)].map((line) => `${line}\n`).join(""));
  }
  return changed.length > 0;
}

/**
 * Returns the result of a function that reads or writes the files of a project. Errors other than
 * those of the file system are thrown unchanged.
 *
 * @throws {UsageError} When a file cannot be read or written.
 */
async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfDisk = error instanceof Error && ("code" in error || error.name === "NotCapable");
    if (!isOfDisk) throw error;
    const why = fileProblem(error, folder, "nothing was written; give a folder of your own");
    throw new UsageError(`cannot write the project ${folder}: ${why}`, { cause: error });
  }
}

/**
 * Returns the kind that the flag `--kind` names.
 *
 * @throws {UsageError} When the flag is missing.
 */
function required(kind: string | undefined): string {
  if (kind) return kind;
  throw new UsageError("the kind is missing: give the kind, such as --kind Order");
}

/**
 * Returns a project name made from a folder's name: in lower case, of at most 40 characters,
 * without leading digits, with dashes for other characters than letters and digits; `operator` for
 * a name without letters.
 */
function nameOf(folder: string): string {
  const name = basename(folder).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(
    /^[-0-9]+|-+$/g,
    "",
  );
  return name.slice(0, 40).replace(/-+$/, "") || "operator";
}

/**
 * Returns the folder of the clone of the library that a new project links to: the given folder, or
 * the clone from which this program runs; `undefined` for none.
 *
 * @throws {UsageError} When the given folder is not a clone.
 */
async function cloneOf(library: string | undefined): Promise<string | undefined> {
  if (library === undefined) {
    return LAUNCH === "sources"
      ? fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "")
      : undefined;
  }
  const folder = resolve(library);
  const text = await diskFiles.read(`${folder}/deno.json`).catch(() => undefined);
  if (text !== undefined && /"name":\s*"@xca\/operator"/.test(text)) return folder;
  throw new UsageError(`--library ${JSON.stringify(library)} is no clone of @xca/operator`);
}
