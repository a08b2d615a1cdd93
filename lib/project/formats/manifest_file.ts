import type { Manifest, ManifestPart } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** A generated file of a folder of manifests. */
export interface ManifestFile {
  /** The path of the file in the folder, with slashes. */
  readonly path: string;
  /** The whole text of the file. */
  readonly text: string;
}

/** Returns the manifests as one YAML file. */
export function singleFile(manifests: readonly Manifest[]): string {
  return generatedText(yamlDocuments(manifests.map(({ object }) => object)));
}

/** Returns the manifests as YAML files, one per part. */
export function filesByPart(manifests: readonly Manifest[]): ManifestFile[] {
  return partsOf(manifests).map(([part, own]) => ({
    path: `${part}.yaml`,
    text: generatedText(yamlDocuments(own.map(({ object }) => object))),
  }));
}

/** Returns the manifests by part, in the order in which they are applied. */
export function partsOf(
  manifests: readonly Manifest[],
): [ManifestPart, readonly Manifest[]][] {
  return [...Map.groupBy(manifests, ({ part }) => part)];
}
