import { CERTIFICATE_ANNOTATION } from "../../webhook/configuration/webhook_address.ts";
import type { Manifest, ManifestObject } from "../manifests/manifest.ts";
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
 * namespace, the image and the monitoring, as an example. The overlay has no namespace if objects
 * are in several.
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
  const objects = manifests.map(({ object }) => object);
  const isOfOneNamespace = objects.every(({ metadata }) =>
    [undefined, namespace].includes(metadata.namespace)
  );
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
      // The field would move the roles of watched namespaces too.
      ...(isOfOneNamespace && { namespace }),
      resources: ["../base"],
      ...(monitoring && { components: ["../monitoring"] }),
      images: [{ name, ...(digest ? { digest } : { newTag: tag }) }],
      ...certificateReplacements(objects),
    }),
  ];
}

/**
 * Returns the field `replacements` of an overlay, by which the texts that contain the namespace of
 * the serving certificate of cert-manager follow the overlay's namespace; an empty object without
 * the certificate. The field `namespace` of a kustomization changes only fields that are namespaces.
 */
function certificateReplacements(
  objects: readonly ManifestObject[],
): { readonly replacements?: unknown } {
  const serving = objects.find(isServingCertificate);
  if (!serving) return {};
  const { kind, metadata: { name } } = serving;
  const injected = objects.filter(({ metadata }) => metadata.annotations?.[CERTIFICATE_ANNOTATION]);
  return {
    replacements: [{
      source: { kind, name, fieldPath: "metadata.namespace" },
      targets: [
        {
          select: { kind, name },
          fieldPaths: serving.spec.dnsNames.map((_, index) => `spec.dnsNames.${index}`),
          options: { delimiter: ".", index: 1 },
        },
        ...injected.map((object) => ({
          select: { kind: object.kind, name: object.metadata.name },
          fieldPaths: [`metadata.annotations.[${CERTIFICATE_ANNOTATION}]`],
          options: { delimiter: "/", index: 0 },
        })),
      ],
    }],
  };
}

/** A Certificate of cert-manager with the DNS names of a Service. */
interface ServingCertificate extends ManifestObject {
  readonly spec: { readonly dnsNames: readonly string[] };
}

function isServingCertificate(object: ManifestObject): object is ServingCertificate {
  return object.kind === "Certificate" && "dnsNames" in (object as ServingCertificate).spec;
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
