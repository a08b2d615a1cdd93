import type { Manifest, ManifestPart } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** A generated file of a folder of manifests. */
export interface ManifestFile {
  /** The path of the file in the folder, with slashes. */
  readonly path: string;
  /** The whole text of the manifest file. */
  readonly text: string;
}

/**
 * Returns the manifests of an operator as the text of one generated YAML file.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { manifestsOf, singleFile } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1.2.0" };
 * const manifests = manifestsOf(xcaOperator, options);
 * assert(singleFile(manifests).includes("kind: Deployment"));
 * ```
 */
export function singleFile(manifests: readonly Manifest[]): string {
  return generatedText(yamlDocuments(manifests.map(({ object }) => object)));
}

/**
 * Returns the manifests of an operator as generated YAML files, one per part of the deployment,
 * such as `rbac.yaml`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { filesByPart, manifestsOf } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1.2.0" };
 * const manifests = manifestsOf(xcaOperator, options);
 * assert(filesByPart(manifests).some(({ path }) => path === "rbac.yaml"));
 * ```
 */
export function filesByPart(manifests: readonly Manifest[]): ManifestFile[] {
  return partsOf(manifests).map(([part, own]) => ({
    path: `${part}.yaml`,
    text: generatedText(yamlDocuments(own.map(({ object }) => object))),
  }));
}

/**
 * Returns the manifests of an operator, grouped by part of the deployment. Parts and manifests keep
 * the order of the input, which is the order in which they are applied.
 */
export function partsOf(
  manifests: readonly Manifest[],
): [ManifestPart, readonly Manifest[]][] {
  return [...Map.groupBy(manifests, ({ part }) => part)];
}
