import type { ProjectFiles } from "../files/project_files.ts";
import { type Project, ProjectError } from "../project.ts";
import { controllerModule } from "../templates/controller_module.ts";
import { controllerTestModule } from "../templates/controller_test_module.ts";
import { kindModule } from "../templates/kind_module.ts";
import { type GivenNames, type KindNames, kindNames } from "./kind_names.ts";
import { kindPath, type Scaffold, versionsOfKind, wiredOperator, wiring } from "./scaffold.ts";

/** The options of `kubectl xca create api`. */
export interface CreateApiOptions extends GivenNames {
  /** Sets whether the command creates the module that defines the kind. @default {true} */
  readonly resource?: boolean | undefined;
  /**
   * Sets whether the command creates a controller with a test, and adds the controller to the
   * operator.
   *
   * @default {true}
   */
  readonly controller?: boolean | undefined;
}

/**
 * Returns the files of a new kind and of its controller, of which the options may leave out one,
 * and, with a controller, the operator's module with the controller added.
 *
 * @throws {ProjectError} When a name is not valid, nothing is to be created, the project has the
 * kind in another version, or lacks the operator's module or, without `resource`, the kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createApi, diskFiles, initProject, writeFiles } from "@xca/operator/project";
 *
 * const folder = await Deno.makeTempDir();
 * const { project, files } = initProject(folder, { name: "shop", domain: "example.org" });
 * await writeFiles(folder, files, diskFiles);
 * const added = await createApi(project, { kind: "Order", group: "trade" }, diskFiles);
 * assert.equal(added.files[0]?.path, "api/v1alpha1/order.ts");
 * assert.deepEqual(added.byHand, []);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function createApi(
  project: Project,
  { resource = true, controller = true, ...given }: CreateApiOptions,
  files: ProjectFiles,
): Promise<Scaffold> {
  const names = kindNames(given, project.domain);
  if (!resource && !controller) {
    throw new ProjectError("no file would be written: leave out --no-resource or --no-controller");
  }
  const versions = await versionsOfKind(project, names.file, files);
  if (resource) checkVersion(names, versions);
  else if (!versions.includes(names.version)) {
    throw new ProjectError(
      `${names.kind} is not in ${kindPath(names)}; leave out --no-resource, which makes it`,
    );
  }
  const kind = resource ? [{ path: kindPath(names), text: kindModule(names) }] : [];
  if (!controller) return { files: kind, byHand: [] };
  const path = `controllers/${names.file}.ts`;
  const insertions = wiring(project, "controllers", `${names.variable}Controller`, path);
  const operator = await wiredOperator(project, insertions, files);
  return {
    files: [
      ...kind,
      { path, text: controllerModule(names) },
      { path: `controllers/${names.file}_test.ts`, text: controllerTestModule(names) },
      ...operator.files,
    ],
    byHand: operator.byHand,
  };
}

function checkVersion({ kind, version, file }: KindNames, versions: readonly string[]): void {
  const other = versions.find((each) => each !== version);
  if (other === undefined) return;
  const module = kindPath({ version: other, file });
  throw new ProjectError(
    `${kind} is already in ${module}, and one definition has all versions of a kind: add ${version} ` +
      `there, by storedVersion and versions of defineResource`,
  );
}
