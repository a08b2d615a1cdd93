import { join, posix } from "node:path";
import type { ProjectFiles } from "../files/project_files.ts";
import type { PlannedFile } from "../files/write_files.ts";
import type { Project } from "../project.ts";
import { ProjectError } from "../project.ts";
import { type Insertion, insertLines } from "./insert_lines.ts";
import type { KindNames } from "./kind_names.ts";

/** The files of a command that extends a project, and the lines that the user must add by hand. */
export interface Scaffold {
  /** The files of the project that a command is about to write. */
  readonly files: readonly PlannedFile[];
  /**
   * The import lines, and list entries such as `controllers: [ ... shopController, ]`, to insert by
   * hand, since their marker is missing in the operator's module.
   */
  readonly byHand: readonly string[];
}

/**
 * Returns the import line and the list entry to insert into the operator's module for another
 * module, given by its export and its path, relative to the project's folder.
 */
export function wiring(
  { operator }: Pick<Project, "operator">,
  list: "controllers" | "webhooks",
  name: string,
  module: string,
): readonly Insertion[] {
  const relative = posix.relative(posix.dirname(operator), module);
  const path = relative.startsWith("../") ? relative : `./${relative}`;
  return [
    {
      marker: "imports",
      line: `import { ${name} } from "${path}";`,
      known: new RegExp(`\\bimport\\b[^;]*["']${path.replaceAll(".", "\\.")}["']`),
    },
    // The entry is known when its name occurs outside of an import.
    { marker: list, line: `${name},`, known: new RegExp(`^(?!\\s*import\\b).*\\b${name}\\b`, "m") },
  ];
}

/**
 * Returns the operator's module with lines inserted, as a file to write, and those lines whose
 * marker is missing there, to insert by hand.
 *
 * @throws {ProjectError} When the project has no such module.
 */
export async function wiredOperator(
  { folder, operator }: Project,
  insertions: readonly Insertion[],
  files: Pick<ProjectFiles, "read">,
): Promise<Scaffold> {
  const text = await files.read(join(folder, operator));
  if (text === undefined) {
    throw new ProjectError(
      `${join(folder, operator)} does not exist; xca.json names it as operator`,
    );
  }
  const inserted = insertLines(text, insertions);
  return {
    files: [{ path: operator, text: inserted.text, isEdit: true }],
    byHand: inserted.left.map(({ line, marker }) =>
      marker === "imports" ? line : `${marker}: [ ... ${line} ]`
    ),
  };
}

/** A kind of a project, as defined in its module. */
export interface ProjectKind extends KindNames {
  /** The path of the kind's module, relative to the project's folder. */
  readonly path: string;
}

/**
 * Returns the path of the module of a kind, relative to the project's folder, such as
 * `api/v1/shop.ts`.
 */
export function kindPath({ version, file }: Pick<KindNames, "version" | "file">): string {
  return `api/${version}/${file}.ts`;
}

/**
 * Returns the API versions, such as `v1`, for which a project has a module of the kind with the
 * given file name; an empty list if there is none.
 */
export async function versionsOfKind(
  { folder }: Pick<Project, "folder">,
  file: string,
  files: Pick<ProjectFiles, "read" | "list">,
): Promise<string[]> {
  const found: string[] = [];
  for (const version of await files.list(join(folder, "api"))) {
    if (!/^v\d/.test(version)) continue;
    if (await files.read(join(folder, kindPath({ version, file }))) !== undefined) {
      found.push(version);
    }
  }
  return found;
}

/** Returns the sorted file names, without the extension, of the modules of a project's kinds. */
export async function kindFiles(
  { folder }: Pick<Project, "folder">,
  files: Pick<ProjectFiles, "list">,
): Promise<string[]> {
  const found = new Set<string>();
  for (const version of await files.list(join(folder, "api"))) {
    if (!/^v\d/.test(version)) continue;
    for (const name of await files.list(join(folder, "api", version))) {
      if (/^[a-z0-9]+\.ts$/.test(name)) found.add(name.slice(0, -3));
    }
  }
  return [...found].sort();
}
