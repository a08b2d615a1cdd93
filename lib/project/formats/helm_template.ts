import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import { CERTIFICATE_ANNOTATION } from "../../webhook/configuration/webhook_address.ts";
import type { Manifest, ManifestObject } from "../manifests/manifest.ts";
import { mergeVariants } from "./merge_variants.ts";
import { yamlDocuments } from "./yaml_text.ts";

/**
 * A combination of the choices in a Helm chart's values: the values that add or remove whole
 * objects or fields.
 */
export interface HelmVariant {
  /** Sets whether the Helm chart lets cert-manager issue the certificate of the webhook server. */
  readonly certManager: boolean;
  /**
   * Sets whether the operator watches only the namespaces that a value of the Helm chart lists (in
   * the manifests {@linkcode WATCHED_NAMESPACE}), instead of all.
   */
  readonly namespaced: boolean;
  /** Sets whether the operator's program serves metrics, as a choice of the Helm chart's values. */
  readonly metrics: boolean;
}

/** The placeholder in manifests for each namespace that a value of the Helm chart sets. */
export const WATCHED_NAMESPACE = "xca-watched-namespace";

/**
 * The Helm template expression for the watched namespaces in the chart's values;
 * `--set watchNamespaces={}` sets a list with one empty text, which `compact` removes.
 */
const WATCHED = "(compact (default list $.Values.watchNamespaces))";

/** The condition in Helm's template language for each choice of the chart's values. */
const CONDITIONS: Readonly<Record<keyof HelmVariant, string>> = {
  namespaced: WATCHED,
  certManager: "$.Values.certManager.enabled",
  metrics: "$.Values.metrics.enabled",
};

/** The names of the Helm chart's choices; first those by which the manifests differ most. */
const CHOICES = Object.keys(CONDITIONS) as (keyof HelmVariant)[];

/**
 * The conditions in Helm's template language under which objects of a kind are rendered; kinds
 * without a condition are always rendered.
 */
const KIND_CONDITIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "$.Values.crds.install",
  NetworkPolicy: "$.Values.networkPolicy.enabled",
  ServiceMonitor: "$.Values.serviceMonitor.enabled",
};

/** The manifests for one combination of a Helm chart's choices. */
export interface VariantManifests {
  /** The Helm chart's choices from which the manifests result. */
  readonly variant: HelmVariant;
  /** The manifests that result from these choices of the Helm chart. */
  readonly manifests: readonly Manifest[];
}

/** Returns all eight combinations of the Helm chart's choices. */
export function helmVariants(): HelmVariant[] {
  const both = [true, false];
  return both.flatMap((certManager) =>
    both.flatMap((namespaced) => both.map((metrics) => ({ certManager, namespaced, metrics })))
  );
}

/** Returns the names of the Helm chart's choices on which at least one object depends. */
export function choicesOf(
  all: readonly VariantManifests[],
  namespace: string,
): (keyof HelmVariant)[] {
  const texts = all.map(({ variant, manifests }) => ({
    variant,
    text: manifests.map(({ object }) => objectText(object, namespace)).join("---\n"),
  }));
  return CHOICES.filter((choice) => dependsOn(texts, choice));
}

/**
 * Returns the Helm template of each object in the manifests of any combination of the chart's
 * choices, with the part that the object belongs to.
 */
export function helmTemplates(
  all: readonly VariantManifests[],
  namespace: string,
): { readonly part: Manifest["part"]; readonly text: string }[] {
  const identities = new Map<string, Manifest>();
  for (const { manifests } of all) {
    for (const manifest of manifests) {
      const identity = identityOf(manifest.object);
      if (!identities.has(identity)) identities.set(identity, manifest);
    }
  }
  return [...identities].map(([identity, { part, object: { kind } }]) => {
    const texts = all.map(({ variant, manifests }) => {
      const found = manifests.find(({ object }) => identityOf(object) === identity);
      return { variant, text: found ? objectText(found.object, namespace) : "" };
    });
    const text = filled(merged(texts, CHOICES.filter((choice) => dependsOn(texts, choice))));
    const condition = KIND_CONDITIONS[kind];
    return { part, text: condition ? `{{- if ${condition} }}\n${text}{{- end }}\n` : text };
  });
}

interface VariantText {
  readonly variant: HelmVariant;
  readonly text: string;
}

/**
 * Reports whether the given choice of the Helm chart changes the text of the manifests while the
 * other choices stay the same.
 */
function dependsOn(texts: readonly VariantText[], choice: keyof HelmVariant): boolean {
  return texts.some(({ variant, text }) =>
    texts.some((other) =>
      other.text !== text &&
      CHOICES.every((each) => (each === choice) !== (other.variant[each] === variant[each]))
    )
  );
}

/**
 * Returns one template for the manifests of an object for all combinations of a Helm chart's
 * choices. The last choice becomes conditions around single lines, the others become conditions
 * around the whole object.
 */
function merged(texts: readonly VariantText[], choices: readonly (keyof HelmVariant)[]): string {
  const [choice, ...others] = choices;
  if (choice === undefined) return texts[0]!.text;
  const [yes, no] = [true, false].map((value) =>
    merged(texts.filter(({ variant }) => variant[choice] === value), others)
  ) as [string, string];
  const condition = CONDITIONS[choice];
  if (others.length === 0) return mergeVariants(yes, no, condition);
  return `{{- if ${condition} }}\n${yes}{{- else }}\n${no}{{- end }}\n`;
}

function identityOf({ kind, metadata: { name, namespace = "" } }: ManifestObject): string {
  return `${kind}/${namespace}/${name}`;
}

/**
 * Returns an object as YAML text with placeholders for the values of the chart. A
 * CustomResourceDefinition is marked to be kept at an uninstallation; an object in the namespace
 * {@linkcode WATCHED_NAMESPACE} becomes a loop over the watched namespaces.
 */
function objectText(object: ManifestObject, namespace: string): string {
  const copy = renamed(structuredClone(object), namespace) as ManifestObject;
  if (copy.kind === "CustomResourceDefinition") {
    copy.metadata.annotations = { ...copy.metadata.annotations, "helm.sh/resource-policy": "keep" };
  }
  if (copy.kind === "Deployment") markDeployment(copy as unknown as V1Deployment);
  const isWatched = object.metadata.namespace === WATCHED_NAMESPACE;
  if (isWatched) distinguish(copy);
  // Braces in descriptions are text, not expressions.
  const text = yamlDocuments([copy]).replaceAll("{{", "{{ `{{` }}");
  if (!isWatched) return text;
  return `{{- range ${WATCHED} }}\n---\n${text}{{- end }}\n`;
}

function markDeployment({ spec }: V1Deployment): void {
  const pod = spec.template.spec as unknown as Record<string, unknown>;
  const [container] = spec.template.spec!.containers;
  Object.assign(spec, { replicas: "XCA_REPLICAS" });
  Object.assign(pod, { xcaPod: "XCA_POD" });
  const args = container!.args?.filter((each) => each !== `--namespace=${WATCHED_NAMESPACE}`) ?? [];
  Object.assign(container!, {
    args: [...args, "XCA_WATCH_ARGS"],
    image: "XCA_IMAGE",
    imagePullPolicy: "XCA_PULL_POLICY",
    resources: "XCA_RESOURCES",
  });
}

/**
 * Appends `-watched`, in place, to the name of an RBAC object for watched namespaces and to the
 * name of the role that it refers to, since a watched namespace may contain the operator's own
 * role.
 */
function distinguish(object: ManifestObject): void {
  object.metadata.name = `${object.metadata.name}-watched`;
  const { roleRef } = object as { roleRef?: { name: string } };
  if (roleRef) roleRef.name = `${roleRef.name}-watched`;
}

/**
 * The placeholders in manifest texts that stand for one text each, with the Helm template
 * expressions that replace them.
 */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  XCA_NAMESPACE: "{{ $.Release.Namespace }}",
  XCA_REPLICAS: "{{ $.Values.replicas }}",
  XCA_IMAGE:
    '"{{ $.Values.image.repository }}{{ if $.Values.image.digest }}@{{ $.Values.image.digest }}{{ else }}:{{ $.Values.image.tag }}{{ end }}"',
  XCA_PULL_POLICY: "{{ $.Values.image.pullPolicy }}",
};

/** The fields of a pod that values of the Helm chart fill when they are not empty. */
const POD_VALUES = ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"];

/** Returns a manifest text with Helm template expressions in place of the placeholders. */
function filled(template: string): string {
  let text = template;
  for (const [mark, expression] of Object.entries(EXPRESSIONS)) {
    text = text.replaceAll(mark, expression);
  }
  return text
    .replace(
      /^( *)resources: XCA_RESOURCES$/gm,
      (_, indent: string) =>
        `${indent}resources:\n${indent}  {{- toYaml $.Values.resources | nindent ${
          indent.length + 2
        } }}`,
    )
    .replace(
      /^( *)xcaPod: XCA_POD$/gm,
      (_, indent: string) =>
        POD_VALUES.map((name) =>
          `${indent}{{- with $.Values.${name} }}\n${indent}${name}:\n` +
          `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}\n${indent}{{- end }}`
        ).join("\n"),
    )
    .replace(
      /^( *)- XCA_WATCH_ARGS$/gm,
      (_, indent: string) =>
        `${indent}{{- range ${WATCHED} }}\n${indent}- --namespace={{ . }}\n${indent}{{- end }}`,
    )
    .replaceAll(WATCHED_NAMESPACE, "{{ . | quote }}");
}

/**
 * Returns a value of a manifest with a placeholder in place of a namespace: in fields that name a
 * namespace, and in names and DNS names that contain it.
 */
function renamed(value: unknown, namespace: string, field?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, namespace));
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? renamedText(value, namespace, field) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, renamed(item, namespace, name)]),
  );
}

/**
 * Returns the text of a field with a placeholder in place of the namespace, where the text is the
 * namespace of an object, names a certificate, or is of the form `<service>.<namespace>.svc`; any
 * other text unchanged.
 */
function renamedText(text: string, namespace: string, field?: string): string {
  if (field === "namespace" && text === namespace) return "XCA_NAMESPACE";
  if (field === CERTIFICATE_ANNOTATION) return text.replace(`${namespace}/`, "XCA_NAMESPACE/");
  return text.replaceAll(`.${namespace}.svc`, ".XCA_NAMESPACE.svc");
}
