import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import type { Manifest, ManifestObject } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import { imageParts } from "./kustomize_files.ts";
import { type ManifestFile, partsOf } from "./manifest_file.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** Options of {@linkcode helmFiles}. */
export interface HelmOptions {
  /** The name of the chart. */
  readonly name: string;
  /** The namespace that the manifests were made for, which that of the release replaces. */
  readonly namespace: string;
  /** The image of the operator. */
  readonly image: string;
  /** The version of the chart (https://semver.org). */
  readonly version: string;
}

/**
 * Returns a Helm chart. Its CustomResourceDefinitions are templates, since Helm never upgrades those of
 * the folder `crds`; they are kept when the release is uninstalled, and with them all objects of users.
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
  // The namespace of a release is made by Helm.
  const templated = partsOf(manifests.filter(({ part }) => part !== "namespace"));
  return [
    { path: "Chart.yaml", text: generatedText(yamlDocuments([chart])) },
    { path: "values.yaml", text: generatedText(values(manifests, options)) },
    { path: ".helmignore", text: generatedText(".git/\n*.tgz\n") },
    ...templated.map(([part, own]) => ({
      path: `templates/${part}.yaml`,
      text: generatedText(own.map(({ object }) => template(object, options)).join("---\n")),
    })),
  ];
}

/** Returns the text of `values.yaml`, with a comment per value. */
function values(manifests: readonly Manifest[], { image }: HelmOptions): string {
  const { spec } = managerOf(manifests);
  const { name, tag, digest } = imageParts(image);
  const documents = yamlDocuments([{ resources: spec.template.spec?.containers[0]?.resources }]);
  const monitored = manifests.some(({ part }) => part === "monitoring");
  return `image:
  repository: ${JSON.stringify(name)}
  tag: ${JSON.stringify(digest ? "" : tag)}
  # A digest takes the place of the tag.
  digest: ${JSON.stringify(digest ?? "")}
  pullPolicy: IfNotPresent
# Of several replicas one reconciles.
replicas: ${spec.replicas ?? 1}
${documents.trimEnd()}
crds:
  # Whether the chart installs and upgrades the CustomResourceDefinitions.
  install: true
networkPolicy:
  enabled: true
${monitored ? "serviceMonitor:\n  # Needs the Prometheus operator.\n  enabled: false\n" : ""}`;
}

function managerOf(manifests: readonly Manifest[]): V1Deployment {
  const found = manifests.find(({ object }) => object.kind === "Deployment");
  return found!.object as unknown as V1Deployment;
}

/** The condition under which an object of a kind is rendered. */
const CONDITIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: ".Values.crds.install",
  NetworkPolicy: ".Values.networkPolicy.enabled",
  ServiceMonitor: ".Values.serviceMonitor.enabled",
};

/** The marks in an object that become expressions of the template, with the expressions. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  XCA_NAMESPACE: "{{ .Release.Namespace }}",
  XCA_REPLICAS: "{{ .Values.replicas }}",
  XCA_IMAGE:
    '"{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag }}{{ end }}"',
  XCA_PULL_POLICY: "{{ .Values.image.pullPolicy }}",
};

function template(object: ManifestObject, { namespace }: HelmOptions): string {
  const marked = withMarks(object, namespace);
  // Braces in descriptions are text, not expressions.
  let text = yamlDocuments([marked]).replaceAll("{{", "{{ `{{` }}");
  for (const [mark, expression] of Object.entries(EXPRESSIONS)) {
    text = text.replaceAll(mark, expression);
  }
  text = text.replace(
    /^( *)resources: XCA_RESOURCES$/m,
    (_, indent: string) =>
      `${indent}resources:\n${indent}  {{- toYaml .Values.resources | nindent ${
        indent.length + 2
      } }}`,
  );
  const condition = CONDITIONS[object.kind];
  return condition ? `{{- if ${condition} }}\n${text}{{- end }}\n` : text;
}

/** Returns an object with marks at the places that values of the chart fill. */
function withMarks(object: ManifestObject, namespace: string): unknown {
  const copy = renamed(structuredClone(object), namespace) as ManifestObject;
  if (copy.kind === "CustomResourceDefinition") {
    copy.metadata.annotations = { ...copy.metadata.annotations, "helm.sh/resource-policy": "keep" };
  }
  if (copy.kind !== "Deployment") return copy;
  const { spec } = copy as unknown as { spec: Record<string, unknown> & V1Deployment["spec"] };
  const container = spec.template.spec!.containers[0] as unknown as Record<string, unknown>;
  Object.assign(spec, { replicas: "XCA_REPLICAS" });
  Object.assign(container, {
    image: "XCA_IMAGE",
    imagePullPolicy: "XCA_PULL_POLICY",
    resources: "XCA_RESOURCES",
  });
  return copy;
}

/** Replaces a namespace in the fields that name one, and in names and DNS names that consist of it. */
function renamed(value: unknown, namespace: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, namespace));
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? renamedText(value, namespace) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === "namespace" && item === namespace ? "XCA_NAMESPACE" : renamed(item, namespace),
    ]),
  );
}

/** Replaces a namespace in `<service>.<namespace>.svc` and `<namespace>/<name>`. */
function renamedText(text: string, namespace: string): string {
  return text
    .replaceAll(`.${namespace}.svc`, ".XCA_NAMESPACE.svc")
    .replace(new RegExp(`^${namespace}/`), "XCA_NAMESPACE/");
}
