/**
 * Projects of operators, which are folders with `xca.json`, `deno.json` and the modules of an
 * operator: their generation and extension, the manifests of an operator as YAML, kustomize, Helm
 * and OLM files, and the deployment of an operator to a cluster.
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
export type { ProjectFiles } from "./files/project_files.ts";
export { diskFiles } from "./files/disk_files.ts";
export { fileTree } from "./files/file_tree.ts";
export {
  type PlannedFile,
  writeFiles,
  type WriteFilesOptions,
  type WrittenFile,
} from "./files/write_files.ts";
export {
  compareGenerated,
  type FileDifference,
  type GeneratedFolder,
  writeGenerated,
  type WriteGeneratedOptions,
} from "./files/generated_files.ts";
export type { GivenNames, KindNames } from "./scaffold/kind_names.ts";
export type { Scaffold } from "./scaffold/scaffold.ts";
export { type InitOptions, initProject, type NewProject } from "./scaffold/init_project.ts";
export { createApi, type CreateApiOptions } from "./scaffold/create_api.ts";
export { createWebhook, type CreateWebhookOptions } from "./scaffold/create_webhook.ts";
export type {
  DeploymentNames,
  Manifest,
  ManifestObject,
  ManifestPart,
} from "./manifests/manifest.ts";
export { manifestsOf, type ManifestsOptions } from "./manifests/manifests_of.ts";
export { deploymentRulesOf, type DeploymentRulesOptions } from "./manifests/deployment_rules.ts";
export { generatedText, isGenerated } from "./formats/generated_text.ts";
export { filesByPart, type ManifestFile, singleFile } from "./formats/manifest_file.ts";
export { kustomizeFiles, type KustomizeOptions } from "./formats/kustomize_files.ts";
export { type HelmDefaults, helmFiles, type HelmOptions } from "./formats/helm_files.ts";
export { type HelmVariant, WATCHED_NAMESPACE } from "./formats/helm_template.ts";
export { olmFiles, type OlmOptions } from "./formats/olm_files.ts";
export {
  type ClusterAction,
  ClusterError,
  type ClusterRun,
  type ClusterStep,
} from "./deploy/cluster_run.ts";
export type { ApplyObjectsOptions } from "./deploy/apply_objects.ts";
export {
  deployObjects,
  type DeployOptions,
  installDefinitions,
  type InstallOptions,
} from "./deploy/deploy.ts";
export type { OperatorPlace } from "./deploy/running_operator.ts";
export {
  undeployObjects,
  type UndeployOptions,
  uninstallDefinitions,
  type UninstallOptions,
} from "./deploy/undeploy.ts";
