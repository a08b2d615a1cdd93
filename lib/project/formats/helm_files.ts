import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import type { Manifest } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import {
  choicesOf,
  helmTemplates,
  type HelmVariant,
  helmVariants,
  type VariantManifests,
} from "./helm_template.ts";
import { imageParts } from "./kustomize_files.ts";
import type { ManifestFile } from "./manifest_file.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** Options of {@linkcode helmFiles}, which generates a Helm chart. */
export interface HelmOptions {
  /** The name of the Helm chart. */
  readonly name: string;
  /** The namespace in the given manifests, which is replaced by that of the Helm release. */
  readonly namespace: string;
  /** The image of the operator in the Helm chart's default values. */
  readonly image: string;
  /** The version of the Helm chart (https://semver.org). */
  readonly version: string;
  /**
   * The function that returns the manifests for each combination of the chart's choices:
   * cert-manager or not, watched namespaces or all, metrics or none. The chart then has a value for
   * each of these choices on which an object depends.
   *
   * @default the chart has no values for these choices
   */
  readonly manifestsOf?: ((variant: HelmVariant) => readonly Manifest[]) | undefined;
  /** The default choices of the Helm chart's values. @default no cert-manager, all namespaces */
  readonly defaults?: HelmDefaults | undefined;
}

/** The default choices of a Helm chart's values. */
export interface HelmDefaults {
  /**
   * Sets whether cert-manager issues the certificate of the webhook server by default.
   *
   * @default {false}
   */
  readonly certManager?: boolean | undefined;
  /**
   * The default of the Helm chart's value for the namespaces that the operator watches.
   *
   * @default all
   */
  readonly watchNamespaces?: readonly string[] | undefined;
}

/**
 * Returns the files of a Helm chart, without the Namespace, which Helm creates. With `manifestsOf`,
 * the given manifests only determine the default values of replicas and resources, and whether the
 * chart has a value for the ServiceMonitor. The chart's CustomResourceDefinitions are templates,
 * since Helm never upgrades those in the folder `crds`; they are kept when the release is
 * uninstalled, and with them all objects of users.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { helmFiles, manifestsOf } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1.2.0" };
 * const manifests = manifestsOf(xcaOperator, options);
 * const files = helmFiles(manifests, { ...options, version: "1.2.0" });
 * assert(files.some(({ path }) => path === "Chart.yaml"));
 * ```
 */
export function helmFiles(
  manifests: readonly Manifest[],
  options: HelmOptions,
): ManifestFile[] {
  const { name, version, image } = options;
  const { tag, digest } = imageParts(image);
  const chart = {
    apiVersion: "v2",
    name,
    description: `The operator ${name}`,
    type: "application",
    version,
    appVersion: digest ?? tag,
  };
  const all = variantsOf(manifests, options);
  const templates = Map.groupBy(helmTemplates(all, options.namespace), ({ part }) => part);
  return [
    { path: "Chart.yaml", text: generatedText(yamlDocuments([chart])) },
    { path: "values.yaml", text: generatedText(values(manifests, all, options)) },
    { path: ".helmignore", text: generatedText(".git/\n*.tgz\n") },
    ...[...templates].map(([part, own]) => ({
      path: `templates/${part}.yaml`,
      text: generatedText(own.map(({ text }) => text).join("---\n")),
    })),
  ];
}

/**
 * Returns the manifests of each combination of the Helm chart's choices, without the Namespace,
 * which Helm creates.
 */
function variantsOf(
  manifests: readonly Manifest[],
  { manifestsOf }: HelmOptions,
): VariantManifests[] {
  const byDefault = { certManager: false, namespaced: false, metrics: true };
  const all = manifestsOf
    ? helmVariants().map((variant) => ({ variant, manifests: manifestsOf(variant) }))
    : [{ variant: byDefault, manifests }];
  return all.map((each) => ({
    ...each,
    manifests: each.manifests.filter(({ part }) => part !== "namespace"),
  }));
}

/** Returns the text of a Helm chart's `values.yaml`, with comments on the values. */
function values(
  manifests: readonly Manifest[],
  all: readonly VariantManifests[],
  { image, namespace, defaults = {} }: HelmOptions,
): string {
  const { spec } = managerOf(manifests);
  const { name, tag, digest } = imageParts(image);
  const documents = yamlDocuments([{ resources: spec.template.spec?.containers[0]?.resources }]);
  const monitored = manifests.some(({ part }) => part === "monitoring");
  const choices = choicesOf(all, namespace);
  return `image:
  repository: ${JSON.stringify(name)}
  tag: ${JSON.stringify(digest ? "" : tag)}
  # A digest takes the place of the tag.
  digest: ${JSON.stringify(digest ?? "")}
  pullPolicy: IfNotPresent
# Secrets for the registry of the image, as [{ name: registry }].
imagePullSecrets: []
# Of several replicas one reconciles.
replicas: ${spec.replicas ?? 1}
${documents.trimEnd()}
nodeSelector: {}
tolerations: []
affinity: {}
${choices.includes("namespaced") ? watchValue(defaults.watchNamespaces) : ""}crds:
  # Whether the chart installs and upgrades the CustomResourceDefinitions.
  install: true
networkPolicy:
  enabled: true
${choices.includes("metrics") ? METRICS_VALUE : ""}${
    choices.includes("certManager") ? certManagerValue(defaults.certManager) : ""
  }${monitored ? "serviceMonitor:\n  # Needs the Prometheus operator.\n  enabled: false\n" : ""}`;
}

const METRICS_VALUE = `metrics:
  # Whether the program serves metrics, with the rights to review who reads them.
  enabled: true
`;

function watchValue(namespaces: readonly string[] = []): string {
  return `# The namespaces that the operator watches, by Roles in them; all for an empty list.
watchNamespaces: ${JSON.stringify(namespaces)}
`;
}

function certManagerValue(enabled = false): string {
  return `certManager:
  # Whether cert-manager, which the cluster must have, issues the certificate of webhooks.
  enabled: ${enabled}
`;
}

function managerOf(manifests: readonly Manifest[]): V1Deployment {
  const found = manifests.find(({ object }) => object.kind === "Deployment");
  return found!.object as unknown as V1Deployment;
}
