import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import type { Manifest, ManifestObject } from "../manifests/manifest.ts";
import { mergeVariants } from "./merge_variants.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** The choices of a chart that change more than single fields. */
export interface HelmVariant {
  /** Whether cert-manager issues the certificate of webhooks. */
  readonly certManager: boolean;
  /** Whether the operator watches the namespaces of a value, here {@linkcode WATCHED_NAMESPACE}, and not all. */
  readonly namespaced: boolean;
  /** Whether the program serves metrics. */
  readonly metrics: boolean;
}

/** The namespace in manifests that stands for each namespace of the chart's value. */
export const WATCHED_NAMESPACE = "xca-watched-namespace";

/** The namespaces of the chart's value; `--set watchNamespaces={}` of helm is a list of one empty text. */
const WATCHED = "(compact (default list $.Values.watchNamespaces))";

/** The condition of each choice in templates. */
const CONDITIONS: Readonly<Record<keyof HelmVariant, string>> = {
  namespaced: WATCHED,
  certManager: "$.Values.certManager.enabled",
  metrics: "$.Values.metrics.enabled",
};

/** The choices, those first whose objects differ most. */
const CHOICES = Object.keys(CONDITIONS) as (keyof HelmVariant)[];

/** The conditions under which objects of a kind are rendered. */
const KIND_CONDITIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "$.Values.crds.install",
  NetworkPolicy: "$.Values.networkPolicy.enabled",
  ServiceMonitor: "$.Values.serviceMonitor.enabled",
};

/** The manifests of a variant. */
export interface VariantManifests {
  /** The choices of the variant. */
  readonly variant: HelmVariant;
  /** The objects of the variant. */
  readonly manifests: readonly Manifest[];
}

/** Returns all combinations of choices. */
export function helmVariants(): HelmVariant[] {
  const both = [true, false];
  return both.flatMap((certManager) =>
    both.flatMap((namespaced) => both.map((metrics) => ({ certManager, namespaced, metrics })))
  );
}

/** Returns the choices on which at least one object depends. */
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

/** Returns the template of each object, with its part. */
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

/** Reports whether a choice alone changes a text. */
function dependsOn(texts: readonly VariantText[], choice: keyof HelmVariant): boolean {
  return texts.some(({ variant, text }) =>
    texts.some((other) =>
      other.text !== text &&
      CHOICES.every((each) => (each === choice) !== (other.variant[each] === variant[each]))
    )
  );
}

/** Merges the texts of an object; the last choice is within lines, the others are around the object. */
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

/** Returns an object as text, with marks at the places that values of the chart fill. */
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

/** Renames a role of watched namespaces, since one of them may have the operator's own role. */
function distinguish(object: ManifestObject): void {
  object.metadata.name = `${object.metadata.name}-watched`;
  const { roleRef } = object as { roleRef?: { name: string } };
  if (roleRef) roleRef.name = `${roleRef.name}-watched`;
}

/** The marks that become expressions, with the expressions. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  XCA_NAMESPACE: "{{ $.Release.Namespace }}",
  XCA_REPLICAS: "{{ $.Values.replicas }}",
  XCA_IMAGE:
    '"{{ $.Values.image.repository }}{{ if $.Values.image.digest }}@{{ $.Values.image.digest }}{{ else }}:{{ $.Values.image.tag }}{{ end }}"',
  XCA_PULL_POLICY: "{{ $.Values.image.pullPolicy }}",
};

/** The fields of a pod that values of the chart fill when they are not empty. */
const POD_VALUES = ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"];

/** Replaces marks by expressions. */
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
