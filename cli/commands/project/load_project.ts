import { basename, dirname, resolve } from "node:path";
import type { Operator } from "../../../lib/controller/mod.ts";
import {
  findProject,
  type Manifest,
  manifestsOf,
  type ManifestsOptions,
  parseProject,
  PROJECT_FILE,
  ProjectError,
  type ProjectSettings,
} from "../../../lib/project/mod.ts";
import type { CliContext } from "../../context.ts";
import { checkedPolicies } from "../../install_policies.ts";
import { loadOperator } from "../../module/operator_module.ts";
import { UsageError } from "../../usage_error.ts";
import type { DeploymentFlags, ManifestsFlags } from "./manifests.ts";

/** An operator with the settings of its project. */
export interface LoadedProject {
  /**
   * The folder of the project, or the current one for a module that is not the operator of a
   * project.
   */
  readonly folder: string;
  /**
   * The settings of the project, or those derived from the operator's name; {@linkcode loadProject}
   * replaces them by flags of the command.
   */
  readonly settings: Pick<ProjectSettings, "name" | "namespace" | "image">;
  /** The operator of the project. */
  readonly operator: Operator;
  /** The options from which the operator's manifests were generated. */
  readonly options: ManifestsOptions;
  /** The objects that deploy the operator, in the order in which they are applied. */
  readonly manifests: readonly Manifest[];
}

/**
 * Loads the operator that an argument names, as a folder in its project or as a module, and returns
 * it with its settings, in which the flags take precedence, and its manifests. Without an argument,
 * the folder is the current one. For a module that is not the operator of the project around it,
 * the settings are derived from the operator's name.
 *
 * @throws {ProjectError} When the folder is in no project, or the project's settings are wrong or
 * contradict the operator.
 * @throws {UsageError} When the folder does not exist, or the module cannot be loaded.
 * @throws {ConfigError} When a CEL rule of the operator is invalid.
 */
export async function loadProject(
  argument: string | undefined,
  flags: DeploymentFlags & Pick<ManifestsFlags, "format">,
  context: CliContext,
): Promise<LoadedProject> {
  const { folder, operator, ...found } = await locateProject(argument, context);
  const given = {
    ...found.settings,
    ...(flags.image !== undefined && { image: flags.image }),
    ...(flags.systemNamespace !== undefined && { namespace: flags.systemNamespace }),
  };
  const settings = checked(given, flags);
  await checkedPolicies(operator);
  const options: ManifestsOptions = {
    ...settings,
    replicas: flags.replicas,
    watchNamespaces: flags.namespaces,
    certificates: flags.format === "olm" ? "olm" : flags.certificates,
    serviceMonitor: flags.serviceMonitor,
  };
  return { folder, operator, settings, options, manifests: manifestsOf(operator, options) };
}

/**
 * An operator with the settings of its project, before the flags of a command replace some of them,
 * and without manifests.
 */
export type LocatedProject = Omit<LoadedProject, "manifests" | "options">;

/**
 * Loads the operator that an argument names, as a folder in its project or as a module, and returns
 * it with the settings of the project. Without an argument, the folder is the current one. For a
 * module that is not the operator of the project around it, the settings are derived from the
 * operator's name.
 *
 * @throws {ProjectError} When the folder is in no project, or the project's settings are wrong or
 * contradict the operator.
 * @throws {UsageError} When the folder does not exist, or the module cannot be loaded.
 */
export async function locateProject(
  argument: string | undefined,
  context: CliContext,
): Promise<LocatedProject> {
  if (argument !== undefined && /\.(m|c)?[tj]sx?$/.test(basename(argument))) {
    const operator = await loadOperator(argument, context);
    const own = await projectOf(argument, context);
    if (own) return { ...own, operator };
    const { name } = operator;
    const settings = { name, namespace: `${name}-system`, image: `${name}:latest` };
    return { folder: Deno.cwd(), settings, operator };
  }
  const start = resolve(argument ?? ".");
  if (!await isFolder(start)) {
    throw new UsageError(
      `${JSON.stringify(argument)} is no folder of a project and no module of an operator`,
    );
  }
  const project = await findProject(start, context.host);
  const operator = await loadOperator(`${project.folder}/${project.operator}`, context);
  if (operator.name !== project.name) {
    throw new ProjectError(
      `${project.folder}/${PROJECT_FILE} names the project ${project.name}, and ${project.operator} the ` +
        `operator ${operator.name}, which is the name of its Lease: give both one name`,
    );
  }
  return { folder: project.folder, settings: project, operator };
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

/**
 * Returns the project whose operator is in a module; `undefined` if no folder above the module is a
 * project, or its operator is another module.
 */
async function projectOf(
  module: string,
  context: CliContext,
): Promise<Omit<LocatedProject, "operator"> | undefined> {
  const path = resolve(module);
  try {
    const project = await findProject(dirname(path), context.host);
    const isItsOwn = resolve(project.folder, project.operator) === path;
    return isItsOwn ? { folder: project.folder, settings: project } : undefined;
  } catch (error) {
    if (error instanceof ProjectError) return undefined;
    throw error;
  }
}

/**
 * Checks the settings of a project as those of the file `xca.json` are checked, and returns them
 * with defaults filled in.
 *
 * @throws {ProjectError} When a setting is wrong.
 */
function checked(
  { name, namespace, image }: LoadedProject["settings"],
  flags: DeploymentFlags,
): LoadedProject["settings"] {
  try {
    return parseProject(
      JSON.stringify({ name, namespace, image, domain: "example.org" }),
      "xca.json",
    );
  } catch (error) {
    if (!(error instanceof ProjectError) || flags.image === undefined) throw error;
    throw new ProjectError(error.message.replace(/^xca\.json: image /, "--image "), {
      cause: error,
    });
  }
}
