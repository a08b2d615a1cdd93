import type { PlannedFile } from "../files/write_files.ts";
import { parseProject, type Project, ProjectError } from "../project.ts";
import { ciWorkflow } from "../templates/ci_workflow.ts";
import { controllerModule } from "../templates/controller_module.ts";
import { controllerTestModule } from "../templates/controller_test_module.ts";
import { denoJson } from "../templates/deno_json.ts";
import { dockerfile, dockerignore } from "../templates/image_files.ts";
import { kindModule } from "../templates/kind_module.ts";
import { mainModule } from "../templates/main_module.ts";
import { operatorModule } from "../templates/operator_module.ts";
import { readme } from "../templates/readme.ts";
import { editorSettings, gitignore, xcaJson } from "../templates/small_files.ts";
import { insertLines } from "./insert_lines.ts";
import { type KindNames, kindNames, kindOfProject } from "./kind_names.ts";
import { kindPath, wiring } from "./scaffold.ts";

/** The options of `kubectl xca init`. */
export interface InitOptions {
  /**
   * The name of the new project: at most 40 lower-case letters, digits and dashes, beginning with a
   * letter.
   */
  readonly name: string;
  /** The domain of the new project's API groups. */
  readonly domain: string;
  /**
   * The first kind of the new project.
   *
   * @default by the project's name: `Shop` for `shop` and `shop-operator`
   */
  readonly kind?: string | undefined;
  /**
   * The first part of the API group of the project's first kind, or, with a dot, the whole group.
   *
   * @default the domain is the group
   */
  readonly group?: string | undefined;
  /** The API version of the new project's first kind. @default {"v1alpha1"} */
  readonly version?: string | undefined;
  /**
   * The plural name of the project's first kind.
   *
   * @default derived from the kind by the rules of English
   */
  readonly plural?: string | undefined;
  /** The namespace that the new project's operator runs in. @default the name with `-system` */
  readonly namespace?: string | undefined;
  /** The image of the new project's operator. @default the name with `:latest` */
  readonly image?: string | undefined;
  /**
   * The absolute path of a local clone of the library, for the entry `links` in the new project's
   * `deno.json`.
   *
   * @default none: the library comes from a registry
   */
  readonly clone?: string | undefined;
}

/** A new project and the files to write; the result of {@linkcode initProject}. */
export interface NewProject {
  /** The settings and the folder of the new project. */
  readonly project: Project;
  /** The names of the new project's first kind. */
  readonly kind: KindNames;
  /** The files to write for the new project. */
  readonly files: readonly PlannedFile[];
}

/**
 * Returns the files of a new project: one kind, one controller and one test, the program, and the
 * files to build its image and to check it in CI.
 *
 * @throws {ProjectError} When a name is not valid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { initProject } from "@xca/operator/project";
 *
 * const { kind, files } = initProject("/work/shop", { name: "shop", domain: "example.org" });
 * assert.equal(kind.group, "example.org");
 * assert(files.some(({ path }) => path === "api/v1alpha1/shop.ts"));
 * ```
 */
export function initProject(folder: string, options: InitOptions): NewProject {
  const { name, domain, namespace, image, clone } = options;
  const project: Project = { folder, ...settingsOf({ name, domain, namespace, image }) };
  const kind = kindNames({ ...options, kind: options.kind ?? kindOfProject(name) }, domain);
  const controller = `controllers/${kind.file}.ts`;
  const insertions = wiring(project, "controllers", `${kind.variable}Controller`, controller);
  const files: PlannedFile[] = [
    { path: "xca.json", text: xcaJson(project) },
    { path: "deno.json", text: denoJson(clone) },
    { path: "operator.ts", text: insertLines(operatorModule(name), insertions).text },
    { path: "main.ts", text: mainModule("operator.ts") },
    { path: kindPath(kind), text: kindModule(kind) },
    { path: controller, text: controllerModule(kind) },
    { path: `controllers/${kind.file}_test.ts`, text: controllerTestModule(kind) },
    { path: "Dockerfile", text: dockerfile() },
    { path: ".dockerignore", text: dockerignore() },
    { path: ".gitignore", text: gitignore() },
    { path: ".github/workflows/ci.yaml", text: ciWorkflow(clone) },
    { path: ".vscode/settings.json", text: editorSettings() },
    { path: "README.md", text: readme(project, kind) },
  ];
  return { project, kind, files };
}

/** Returns the checked settings of a new project; error messages name flags instead of fields. */
function settingsOf(
  given: Pick<InitOptions, "name" | "domain" | "namespace" | "image">,
): ReturnType<typeof parseProject> {
  try {
    return parseProject(JSON.stringify(given), "xca.json");
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    throw new ProjectError(error.message.replace(/^xca\.json: (\w)/, "--$1"), { cause: error });
  }
}
