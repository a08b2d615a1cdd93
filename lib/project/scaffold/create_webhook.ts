import { join } from "node:path";
import type { ProjectFiles } from "../files/project_files.ts";
import { type Project, ProjectError } from "../project.ts";
import { webhookModule, webhookTestModule } from "../templates/webhook_module.ts";
import { kindNames } from "./kind_names.ts";
import {
  kindFiles,
  kindPath,
  type Scaffold,
  versionsOfKind,
  wiredOperator,
  wiring,
} from "./scaffold.ts";

/** The options of `kubectl xca create webhook`. */
export interface CreateWebhookOptions {
  /** The kind of the webhooks' objects, such as `Shop`. */
  readonly kind: string;
  /**
   * The version of the objects that the webhooks handle.
   *
   * @default the only version of the project's kind
   */
  readonly version?: string | undefined;
  /** Sets whether the created webhooks set defaults. @default {false} */
  readonly defaulting?: boolean | undefined;
  /** Sets whether the created webhooks validate requests. @default {false} */
  readonly validation?: boolean | undefined;
}

/**
 * Returns the files of the webhooks of a kind of the project, and the operator's module with the
 * webhooks added.
 *
 * @throws {ProjectError} When a name is not valid, neither defaulting nor validation is chosen, the
 * project lacks the kind or the version, has the kind in several versions and none is given, or the
 * operator's module does not exist.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createWebhook, diskFiles, initProject, writeFiles } from "@xca/operator/project";
 *
 * const folder = await Deno.makeTempDir();
 * const { project, files } = initProject(folder, { name: "shop", domain: "example.org" });
 * await writeFiles(folder, files, diskFiles);
 * const added = await createWebhook(project, { kind: "Shop", validation: true }, diskFiles);
 * assert.equal(added.files[0]?.path, "webhooks/shop.ts");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function createWebhook(
  project: Project,
  { kind, version, defaulting = false, validation = false }: CreateWebhookOptions,
  files: ProjectFiles,
): Promise<Scaffold> {
  const { file } = kindNames({ kind, version }, project.domain);
  if (!defaulting && !validation) {
    throw new ProjectError(
      "no file would be written: give --defaulting, --validation, or both",
    );
  }
  const versions = await versionsOfKind(project, file, files);
  const names = kindNames({
    kind,
    version: await chosen(project, { kind, version, file }, versions, files),
  }, project.domain);
  const path = `webhooks/${file}.ts`;
  const parts = { defaulting, validation };
  const insertions = wiring(project, "webhooks", `${names.variable}Webhook`, path);
  const operator = await wiredOperator(project, insertions, files);
  return {
    files: [
      { path, text: webhookModule(names, parts) },
      { path: `webhooks/${file}_test.ts`, text: webhookTestModule(names, parts) },
      ...operator.files,
    ],
    byHand: operator.byHand,
  };
}

/**
 * Returns the version in whose module the kind of the webhooks is defined.
 *
 * @throws {ProjectError} When the kind has no module, none in the given version, or modules in
 *   several versions and no version is given; or when the module has no export of the kind's name.
 */
async function chosen(
  project: Project,
  { kind, version, file }: { kind: string; version: string | undefined; file: string },
  versions: readonly string[],
  files: ProjectFiles,
): Promise<string> {
  if (versions.length === 0) {
    const known = await kindFiles(project, files);
    const list = known.length === 0 ? "it has no kinds" : `it has ${known.join(", ")}`;
    throw new ProjectError(
      `${project.name} has no kind ${kind} in api/ (${list}); make it: kubectl xca create api --kind ${kind}`,
    );
  }
  if (version !== undefined && !versions.includes(version)) {
    throw new ProjectError(
      `${kind} has no module ${kindPath({ version, file })}; it is in ${versions.join(", ")}`,
    );
  }
  const found = version ?? versions[0]!;
  if (version === undefined && versions.length > 1) {
    throw new ProjectError(
      `${kind} is in ${versions.join(" and ")}; give one of them by --version`,
    );
  }
  const text = await files.read(join(project.folder, kindPath({ version: found, file }))) ?? "";
  if (new RegExp(`\\bexport const ${kind}\\b`).test(text)) return found;
  throw new ProjectError(
    `${
      kindPath({ version: found, file })
    } has no line "export const ${kind}"; is the kind spelled correctly?`,
  );
}
