/**
 * Projects of operators: a folder with `xca.json`, `deno.json`, and the modules of an operator.
 *
 * @module
 */
export {
  findProject,
  parseProject,
  type Project,
  PROJECT_FILE,
  ProjectError,
  type ProjectSettings,
} from "./project.ts";
