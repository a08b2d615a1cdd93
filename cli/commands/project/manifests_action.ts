import { basename, dirname, resolve } from "node:path";
import {
  compareGenerated,
  diskFiles,
  filesByPart,
  fileTree,
  helmFiles,
  kustomizeFiles,
  type ManifestFile,
  manifestsOf,
  olmFiles,
  singleFile,
  WATCHED_NAMESPACE,
  writeGenerated,
} from "../../../lib/project/mod.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { fileProblem } from "../../file_problem.ts";
import { UsageError } from "../../usage_error.ts";
import { type LoadedProject, loadProject } from "./load_project.ts";
import { isSemanticVersion, type ManifestsFlags } from "./manifests.ts";

/**
 * Runs `kubectl xca manifests`: prints, writes or compares the manifests of a project. Returns exit
 * code 1 if `--check` finds a difference.
 *
 * @throws {ProjectError} When an existing file was edited or written by hand, without `--force`.
 * @throws {UsageError} When the folder cannot be read or written.
 */
export async function manifests(
  argument: string | undefined,
  flags: ManifestsFlags,
  context: CliContext,
): Promise<ExitCode> {
  const project = await loadProject(argument, flags, context);
  if (flags.output === undefined) {
    context.out(singleFile(project.manifests));
    return ExitCode.ok;
  }
  return await writeOrCompare(resolve(flags.output), filesOf(project, flags), flags, context);
}

/**
 * Runs `kubectl xca build-installer`: writes or compares all manifests as one file. Returns exit
 * code 1 if `--check` finds a difference.
 *
 * @throws {ProjectError} When the existing file was edited or written by hand, without `--force`.
 * @throws {UsageError} When the file cannot be read or written.
 */
export async function buildInstaller(
  argument: string | undefined,
  flags: ManifestsFlags,
  context: CliContext,
): Promise<ExitCode> {
  const project = await loadProject(argument, flags, context);
  const path = flags.output === undefined
    ? resolve(project.folder, "dist/install.yaml")
    : resolve(flags.output);
  const files = [{ path: basename(path), text: singleFile(project.manifests) }];
  return await writeOrCompare(dirname(path), files, { ...flags, isOneFile: true }, context);
}

/**
 * Runs `kubectl xca bundle`: writes or compares a bundle for the Operator Lifecycle Manager.
 * Returns exit code 1 if `--check` finds a difference.
 *
 * @throws {ProjectError} When an existing file was edited or written by hand, without `--force`.
 * @throws {UsageError} When the folder cannot be read or written.
 */
export async function bundle(
  argument: string | undefined,
  flags: ManifestsFlags,
  context: CliContext,
): Promise<ExitCode> {
  const own = { ...flags, format: "olm" } as const;
  const project = await loadProject(argument, own, context);
  const folder = flags.output === undefined
    ? resolve(project.folder, "bundle")
    : resolve(flags.output);
  return await writeOrCompare(folder, filesOf(project, own), own, context);
}

function filesOf(
  { settings, operator, options, manifests }: LoadedProject,
  { format = "yaml", packageVersion }: ManifestsFlags,
): readonly ManifestFile[] {
  const { name, namespace, image } = settings;
  const version = packageVersion ?? versionOf(image);
  if (format === "kustomize") return kustomizeFiles(manifests, { namespace, image });
  if (format === "helm") {
    return helmFiles(manifests, {
      name,
      namespace,
      image,
      version,
      manifestsOf: ({ certManager, namespaced, metrics }) =>
        manifestsOf(operator, {
          ...options,
          certificates: certManager ? "cert-manager" : "own",
          watchNamespaces: namespaced ? [WATCHED_NAMESPACE] : undefined,
          metrics,
        }),
      defaults: {
        certManager: options.certificates === "cert-manager",
        watchNamespaces: options.watchNamespaces,
      },
    });
  }
  if (format === "olm") return olmFiles(manifests, { name, image, version });
  return filesByPart(manifests);
}

/**
 * Returns the version in the tag of a container image, without a `v` before it; `0.0.1` without a
 * tag that is a semantic version.
 */
function versionOf(image: string): string {
  const [, tag = ""] = /:v?([^:/@]+)(@.*)?$/.exec(image) ?? [];
  return isSemanticVersion(tag) ? tag : "0.0.1";
}

async function writeOrCompare(
  folder: string,
  files: readonly ManifestFile[],
  { check, force, isOneFile = false }: ManifestsFlags & { readonly isOneFile?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  try {
    if (check) {
      const all = await compareGenerated(folder, files, diskFiles);
      const found = isOneFile ? all.filter(({ kind }) => kind !== "stale") : all;
      for (const { path, kind } of found) context.out(`${kind}: ${folder}/${path}\n`);
      if (found.length === 0) return ExitCode.ok;
      context.err(
        `error: ${found.length} of the files in ${folder} are not those of the code; ` +
          "write them again without --check\n",
      );
      return ExitCode.notSo;
    }
    const { written, removed } = await writeGenerated(folder, files, diskFiles, {
      force,
      keepStale: isOneFile,
    });
    context.out([folder, ...fileTree(written)].map((line) => `${line}\n`).join(""));
    for (const path of removed) context.out(`- ${path}\n`);
    return ExitCode.ok;
  } catch (error) {
    const isOfDisk = error instanceof Error && ("code" in error || error.name === "NotCapable");
    if (!isOfDisk) throw error;
    const why = fileProblem(error, folder, "give a folder of your own with --output");
    throw new UsageError(`cannot write ${folder}: ${why}`, { cause: error });
  }
}
