// Mirrors `operators/v1alpha1/clusterserviceversion_types.go, ClusterServiceVersion` of
// operator-framework/api, and the bundle format of operator-registry.
import type {
  V1CustomResourceDefinition,
  V1Deployment,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";
import { mergeRules, type PolicyRule } from "../../rbac/policy_rule.ts";
import type { Manifest, ManifestObject } from "../manifests/manifest.ts";
import { generatedText } from "./generated_text.ts";
import type { ManifestFile } from "./manifest_file.ts";
import { yamlDocuments } from "./yaml_text.ts";

/** Options of {@linkcode olmFiles}, which generates a bundle for the Operator Lifecycle Manager. */
export interface OlmOptions {
  /** The name of the operator's OLM package. */
  readonly name: string;
  /** The version of the operator in its OLM bundle (https://semver.org). */
  readonly version: string;
  /** The image of the operator in its OLM bundle. */
  readonly image: string;
  /**
   * An example object of each kind that the operator defines, by kind, for the OLM bundle; a kind
   * that is missing here gets an example with the required fields of its schema.
   *
   * @default {{}}
   */
  readonly samples?: Readonly<Record<string, unknown>> | undefined;
}

/** The only update channel of an OLM bundle, and thereby the default one. */
const CHANNEL = "candidate";

/**
 * The first Kubernetes release that serves all kinds of the manifests, including
 * ValidatingAdmissionPolicy.
 */
const MIN_KUBE_VERSION = "1.30.0";

/**
 * The kinds of the objects that are left out of a bundle: OLM creates them from the
 * ClusterServiceVersion, or a bundle must not contain them.
 */
const LEFT_OUT = new Set([
  "Namespace",
  "Deployment",
  "ServiceAccount",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

/**
 * Returns the files of an operator's bundle for the Operator Lifecycle Manager (OLM), with
 * `AllNamespaces` as the only install mode, in which rules for namespaces other than the operator's
 * become rules for all namespaces. The manifests of an operator with webhooks must be those for
 * `certificates: "olm"`.
 *
 * @throws {TypeError} When a webhook has match conditions, which OLM does not support.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { manifestsOf, olmFiles } from "@xca/operator/project";
 * import { xcaOperator } from "@xca/operator/xca";
 *
 * const options = { name: "xca", namespace: "xca-system", image: "registry.example.org/xca:1.2.0" };
 * const manifests = manifestsOf(xcaOperator, options);
 * const files = olmFiles(manifests, { ...options, version: "1.2.0" });
 * assert(files.some(({ path }) => path === "bundle.Dockerfile"));
 * ```
 */
export function olmFiles(
  manifests: readonly Manifest[],
  options: OlmOptions,
): ManifestFile[] {
  const objects = manifests.map(({ object }) => object);
  const file = (path: string, object: unknown): ManifestFile => ({
    path,
    text: generatedText(yamlDocuments([object])),
  });
  const account = objects.find(({ kind }) => kind === "ServiceAccount")?.metadata.name ?? "";
  const others = objects.filter((object) =>
    !LEFT_OUT.has(object.kind) && !isGrant(object, account)
  );
  return [
    file(`manifests/${options.name}.clusterserviceversion.yaml`, csvOf(objects, account, options)),
    ...others.map((object) =>
      file(
        `manifests/${object.metadata.name}_${object.kind.toLowerCase()}.yaml`,
        withoutNamespace(object),
      )
    ),
    file("metadata/annotations.yaml", { annotations: annotationsOf(options) }),
    file("tests/scorecard/config.yaml", scorecard()),
    { path: "bundle.Dockerfile", text: generatedText(dockerfile(options)) },
  ];
}

type Fields = Record<string, unknown>;

/**
 * The permissions that an OLM bundle requests: the rules of a role for the operator's service
 * account.
 */
interface Granted {
  readonly isCluster: boolean;
  readonly rules: readonly PolicyRule[];
}

/**
 * Reports whether an object is a role binding, or a role of the operator's service account. OLM
 * creates these objects itself.
 */
function isGrant({ kind, metadata }: ManifestObject, account: string): boolean {
  if (!/^(Cluster)?Role(Binding)?$/.test(kind)) return false;
  return /Binding$/.test(kind) || metadata.name === account ||
    /-(leader-election|metrics-auth)$/.test(metadata.name ?? "");
}

/**
 * Returns the grants of all bindings. OLM creates Roles only in the namespace of the operator, so
 * those of other namespaces are granted for all namespaces.
 */
function grantsOf(objects: readonly ManifestObject[], own: string | undefined): Granted[] {
  return objects.filter(({ kind }) => /RoleBinding$/.test(kind)).map((binding) => {
    const { roleRef, metadata: { namespace } } = binding as ManifestObject & {
      readonly roleRef: { readonly kind: string; readonly name: string };
    };
    const role = objects.find(({ kind, metadata }) =>
      kind === roleRef.kind && metadata.name === roleRef.name && metadata.namespace === namespace
    ) as unknown as { rules?: readonly PolicyRule[] } | undefined;
    return { isCluster: namespace !== own, rules: role?.rules ?? [] };
  });
}

function csvOf(
  objects: readonly ManifestObject[],
  serviceAccountName: string,
  { name, version, image, samples = {} }: OlmOptions,
): Fields {
  const crds = objects.filter(({ kind }) =>
    kind === "CustomResourceDefinition"
  ) as unknown as V1CustomResourceDefinition[];
  const deployment = objects.find(({ kind }) => kind === "Deployment") as unknown as V1Deployment;
  const grants = grantsOf(objects, deployment.metadata.namespace);
  const permissions = (isCluster: boolean): Fields[] => {
    const rules = mergeRules(
      grants.filter((grant) => grant.isCluster === isCluster).flatMap((grant) => grant.rules),
    );
    return rules.length === 0 ? [] : [{ serviceAccountName, rules }];
  };
  const webhooks = webhookDefinitions(objects, deployment.metadata.name ?? "");
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: {
      name: `${name}.v${version}`,
      annotations: {
        "alm-examples": JSON.stringify(crds.map((crd) => sampleOf(crd, samples)), null, 2),
        capabilities: "Basic Install",
        containerImage: image,
      },
    },
    spec: {
      displayName: name,
      description: `The operator ${name}.`,
      version,
      maturity: "alpha",
      minKubeVersion: MIN_KUBE_VERSION,
      provider: { name },
      keywords: [name],
      maintainers: [{ name, email: `maintainers@${crds[0]?.spec.group ?? "example.org"}` }],
      links: [{ name, url: `https://${crds[0]?.spec.group ?? "example.org"}` }],
      icon: [{ base64data: ICON, mediatype: "image/svg+xml" }],
      installModes: ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"].map(
        (type) => ({ type, supported: type === "AllNamespaces" }),
      ),
      customresourcedefinitions: { owned: crds.flatMap(ownedOf) },
      install: {
        strategy: "deployment",
        spec: {
          clusterPermissions: permissions(true),
          permissions: permissions(false),
          deployments: [{
            name: deployment.metadata.name,
            label: deployment.metadata.labels,
            spec: deployment.spec,
          }],
        },
      },
      ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
    },
  };
}

/** The icon of an OLM bundle, one disc, since catalogs refuse a bundle without an icon. */
const ICON = btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18"/></svg>',
);

/**
 * Returns the entries of a CustomResourceDefinition in the ClusterServiceVersion, one per served
 * version, with a descriptor for each direct field of `spec` and `status`.
 */
function ownedOf(crd: V1CustomResourceDefinition): Fields[] {
  const { names, versions } = crd.spec;
  return versions.filter(({ served }) => served).map(({ name: version, schema }) => {
    const { properties = {}, description = names.kind } = schema?.openAPIV3Schema ?? {};
    const descriptors = (member: string): Fields[] =>
      Object.entries(properties[member]?.properties ?? {}).map(([path, field]) => ({
        path,
        displayName: titleOf(path),
        description: field.description ?? titleOf(path),
      }));
    return {
      name: crd.metadata.name,
      kind: names.kind,
      version,
      displayName: names.kind,
      description,
      resources: [{ kind: names.kind, name: crd.metadata.name, version }],
      specDescriptors: descriptors("spec"),
      statusDescriptors: descriptors("status"),
    };
  });
}

function titleOf(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sampleOf(
  { spec }: V1CustomResourceDefinition,
  samples: Readonly<Record<string, unknown>>,
): unknown {
  const { kind } = spec.names;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  const apiVersion = `${spec.group}/${stored}`;
  const schema = spec.versions.find(({ storage }) => storage)?.schema?.openAPIV3Schema;
  return samples[kind] ?? {
    apiVersion,
    kind,
    metadata: { name: `${kind.toLowerCase()}-sample` },
    spec: valueOf(schema?.properties?.["spec"] ?? {}) ?? {},
  };
}

/**
 * Returns an example value of a schema: its default, the first value of its enum, or the minimal
 * value of its type, such as an object with only the required fields. A pattern or a format of a
 * string is not respected.
 */
function valueOf(schema: V1JSONSchemaProps): unknown {
  const { type, properties = {}, required = [] } = schema;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  if (type === "object") {
    return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {})]));
  }
  if (type === "array") {
    const items = schema.items as V1JSONSchemaProps | undefined;
    return Array.from({ length: schema.minItems ?? 0 }, () => valueOf(items ?? {}));
  }
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  return "example".padEnd(schema.minLength ?? 0, "-").slice(0, schema.maxLength);
}

/**
 * Returns the webhooks in the form of the ClusterServiceVersion, from which OLM creates their
 * configurations and certificates; without namespace selectors, which OLM sets itself. Throws a
 * TypeError if a webhook has match conditions.
 */
function webhookDefinitions(
  objects: readonly ManifestObject[],
  deploymentName: string,
): Fields[] {
  const served = { deploymentName, containerPort: 443, targetPort: "webhooks" };
  const admission = objects.flatMap((object) => {
    const type = object.kind === "MutatingWebhookConfiguration"
      ? "MutatingAdmissionWebhook"
      : object.kind === "ValidatingWebhookConfiguration"
      ? "ValidatingAdmissionWebhook"
      : undefined;
    if (!type) return [];
    const { webhooks } = object as unknown as { webhooks: Fields[] };
    // OLM selects the namespaces itself, by the operator group.
    return webhooks.map(
      ({ name, clientConfig, matchConditions, namespaceSelector: _, ...rest }) => {
        if (matchConditions !== undefined) {
          throw new TypeError(
            `Cannot make a bundle: OLM has no matchConditions, which the webhook ${name} needs; check them ` +
              "in its functions instead",
          );
        }
        return {
          type,
          generateName: name,
          ...served,
          webhookPath: (clientConfig as { service: { path: string } }).service.path,
          ...rest,
        };
      },
    );
  });
  return [
    ...admission,
    ...objects.filter(isConverted).map(({ metadata: { name = "" } }) => ({
      type: "ConversionWebhook",
      generateName: `c${name}`,
      ...served,
      webhookPath: "/convert",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      conversionCRDs: [name],
    })),
  ];
}

function isConverted(object: ManifestObject): boolean {
  const { spec } = object as unknown as { spec?: { conversion?: { strategy?: string } } };
  return object.kind === "CustomResourceDefinition" && spec?.conversion?.strategy === "Webhook";
}

function withoutNamespace(object: ManifestObject): ManifestObject {
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function annotationsOf({ name }: OlmOptions): Fields {
  return {
    "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
    "operators.operatorframework.io.bundle.manifests.v1": "manifests/",
    "operators.operatorframework.io.bundle.metadata.v1": "metadata/",
    "operators.operatorframework.io.bundle.package.v1": name,
    "operators.operatorframework.io.bundle.channels.v1": CHANNEL,
    "operators.operatorframework.io.bundle.channel.default.v1": CHANNEL,
    "operators.operatorframework.io.test.mediatype.v1": "scorecard+v1",
    "operators.operatorframework.io.test.config.v1": "tests/scorecard/",
  };
}

/**
 * Returns the configuration of OLM's scorecard, with the tests of a bundle that need no running
 * operator.
 */
function scorecard(): Fields {
  const tests = [
    "olm-bundle-validation",
    "olm-crds-have-validation",
    "olm-crds-have-resources",
    "olm-spec-descriptors",
    "olm-status-descriptors",
  ].map((test) => ({
    entrypoint: ["scorecard-test", test],
    image: "quay.io/operator-framework/scorecard-test:v1.41.1",
    labels: { suite: "olm", test: `${test}-test` },
  }));
  return {
    apiVersion: "scorecard.operatorframework.io/v1alpha3",
    kind: "Configuration",
    metadata: { name: "config" },
    stages: [{ parallel: true, tests }],
  };
}

function dockerfile(options: OlmOptions): string {
  const labels = Object.entries(annotationsOf(options))
    .map(([name, value]) => `LABEL ${name}=${value}\n`).join("");
  return `FROM scratch
${labels}COPY manifests /manifests/
COPY metadata /metadata/
COPY tests/scorecard /tests/scorecard/
`;
}
