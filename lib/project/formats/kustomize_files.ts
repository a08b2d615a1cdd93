import type { Manifest } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import { filesByPart, type ManifestFile } from "./manifest_file.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** Options of {@linkcode kustomizeFiles}, which generates a kustomization of an operator. */
export interface KustomizeOptions {
  /** The image of the operator in the overlay `default`. */
  readonly image: string;
  /** The namespace that the operator runs in, in the overlay `default`. */
  readonly namespace: string;
}

/** The name of the file that defines a kustomization in its folder. */
const KUSTOMIZATION = "kustomization.yaml";

/**
 * Returns the files of a kustomization: `base` with all objects but the monitoring, which is a
 * separate component since it needs the Prometheus operator; and `default`, an overlay with the
 * namespace, the image and the monitoring, as an example.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { kustomizeFiles, manifestsOf } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1.2.0" };
 * const manifests = manifestsOf(xcaOperator, options);
 * const files = kustomizeFiles(manifests, options);
 * assert(files.some(({ path }) => path === "base/kustomization.yaml"));
 * ```
 */
export function kustomizeFiles(
  manifests: readonly Manifest[],
  { image, namespace }: KustomizeOptions,
): ManifestFile[] {
  const files = filesByPart(manifests);
  const isMonitoring = ({ path }: ManifestFile): boolean => path === "monitoring.yaml";
  const base = files.filter((file) => !isMonitoring(file));
  const monitoring = files.find(isMonitoring);
  const { name, tag, digest } = imageParts(image);
  return [
    ...inFolder("base", base, {
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      resources: base.map(({ path }) => path),
    }),
    ...monitoring
      ? inFolder("monitoring", [monitoring], {
        apiVersion: "kustomize.config.k8s.io/v1alpha1",
        kind: "Component",
        resources: [monitoring.path],
      })
      : [],
    ...inFolder("default", [], {
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      namespace,
      resources: ["../base"],
      ...(monitoring && { components: ["../monitoring"] }),
      images: [{ name, ...(digest ? { digest } : { newTag: tag }) }],
    }),
  ];
}

function inFolder(
  folder: string,
  files: readonly ManifestFile[],
  kustomization: unknown,
): ManifestFile[] {
  return [
    { path: `${folder}/${KUSTOMIZATION}`, text: generatedText(yamlDocuments([kustomization])) },
    ...files.map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  ];
}

/**
 * Returns the name, the tag (`latest` if there is none) and the digest (`undefined` if there is
 * none) of a container image.
 */
export function imageParts(
  image: string,
): { readonly name: string; readonly tag: string; readonly digest: string | undefined } {
  const [, rest = image, digest] = /^([^@]*)@(.*)$/.exec(image) ?? [];
  const [, name = rest, tag = "latest"] = /^(.*):([^:/]+)$/.exec(rest) ?? [];
  return { name, tag, digest };
}
