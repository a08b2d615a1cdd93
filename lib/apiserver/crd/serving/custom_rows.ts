// Mirrors `apiserver/customresource_discovery_controller.go, DiscoveryController` and
// `apiserver/customresource_handler.go, crdHandler.getOrCreateServingInfoFor`.
import { type Verb, VERBS } from "@xca/apimachinery/internal/access";
import type { CustomRules } from "@xca/apimachinery/internal/cel";
import { badRequest } from "@xca/apimachinery/internal/errors";
import {
  AccessorError,
  coerceInSteps,
  type CustomResourceDefinition,
  customRulesOf,
  type DefinitionVersion,
  isTrue,
  type JsonSchema,
  nestedText,
  pruneDefaults,
  ShapeError,
} from "@xca/apimachinery/internal/schema";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource, Subresource } from "../../machinery/resource.ts";
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { convertByName, type ConvertedKind, convertStored, versionOf } from "./convert.ts";
import { customStrategy } from "./custom_strategy.ts";
import { deprecationWarning } from "./deprecation.ts";
import { storageVersionHash } from "./storage_version_hash.ts";
import { typeSchemaOf } from "./type_schema.ts";
import { convertByWebhook, type WebhookConversionPorts } from "./webhook_conversion.ts";

/** The verbs of custom resources, in the order of kube-apiserver's discovery. */
const CUSTOM_VERBS: readonly Verb[] = VERBS.filter((verb): boolean => verb !== "create")
  .toSpliced(5, 0, "create");
/**
 * The verbs of a custom resource that discovery shows while its CustomResourceDefinition is being
 * deleted.
 */
const LAST_VERBS: readonly Verb[] = VERBS
  .filter((verb) => verb !== "create" && verb !== "patch" && verb !== "update");
const SUBRESOURCE_VERBS: readonly Verb[] = ["get", "patch", "update"];

/**
 * Returns the entries in the resource table for the served versions of a CustomResourceDefinition.
 */
export function customRows(
  definition: CustomResourceDefinition,
  ports: WebhookConversionPorts,
): ApiResource[] {
  const { spec } = definition;
  const schemas = new Map(
    spec.versions.map(({ name, schema }) => [
      name,
      schema?.openAPIV3Schema && pruneDefaults(schema.openAPIV3Schema),
    ]),
  );
  const converted: ConvertedKind = {
    group: spec.group,
    kind: definition.status.acceptedNames.kind,
    schemas,
    conversion: spec.conversion?.strategy === "Webhook"
      ? convertByWebhook(spec.conversion, ports)
      : convertByName,
  };
  return spec.versions.filter(({ served }) => served)
    .map((version) => customRow(definition, version, converted));
}

function customRow(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  converted: ConvertedKind,
): ApiResource {
  const { spec, status: { acceptedNames: names }, metadata } = definition;
  const { group } = spec;
  const schema = converted.schemas.get(version.name);
  const storage = spec.versions.find((each) => each.storage)!;
  const warning = deprecationWarning(spec, version);
  const namespaced = spec.scope === "Namespaced";
  const isTerminating = isTrue(definition, "Terminating");
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular ?? "",
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: CUSTOM_VERBS,
    ...(isTerminating && { shownVerbs: LAST_VERBS }),
    subresources: subresourcesOf(version, names.kind),
    storageVersion: storage.name,
    ...(storage.served &&
      { storageVersionHash: storageVersionHash(group, storage.name, spec.names.kind) }),
    schema: once(() => typeSchemaOf(schema)),
    strategy: customStrategy({
      group,
      version: version.name,
      kind: names.kind,
      plural: names.plural,
      namespaced,
      schema,
      subresources: version.subresources ?? {},
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
      rules: customRulesOf(schema),
      isTerminating,
    }),
    customResourceDefinition: metadata.name!,
    convert: (objects, toVersion) => convertStored(converted, objects, toVersion),
    ...(spec.conversion?.strategy === "Webhook" && { convertsByWebhook: true }),
    definedVersions: new Set(spec.versions.map(({ name }) => `${group}/${name}`)),
    // Objects that were stored in another version, or before the definition changed, are normalized
    // by this version's schema when they are read.
    isRevised: (metadata.generation ?? 1) > 1 || spec.versions.length > 1,
    coerce: (object) => coerce(converted, object),
    ...(version.additionalPrinterColumns?.length && {
      printerColumns: version.additionalPrinterColumns,
    }),
    ...(schema &&
      { openApiSchema: version.schema!.openAPIV3Schema as ApiResource["openApiSchema"] & object }),
    ...(version.selectableFields?.length && {
      selectableFieldPaths: version.selectableFields.map(({ jsonPath }) => jsonPath),
    }),
    ...(version.subresources?.scale && {
      scalePaths: version.subresources.scale,
      replicasPaths: new Map(
        spec.versions.map(({ name, subresources }) => [
          `${group}/${name}`,
          subresources?.scale?.specReplicasPath,
        ]),
      ),
    }),
    ...(warning !== undefined && { deprecationWarning: warning }),
  };
}

function subresourcesOf({ subresources }: DefinitionVersion, kind: string): Subresource[] {
  const made: Subresource[] = [];
  if (subresources?.status) made.push({ name: "status", kind, verbs: SUBRESOURCE_VERBS });
  if (subresources?.scale) {
    made.push({
      name: "scale",
      kind: "Scale",
      group: "autoscaling",
      version: "v1",
      verbs: SUBRESOURCE_VERBS,
    });
  }
  return made;
}

/**
 * Prunes a decoded custom object, in place and in steps: drops unknown fields, and nulls that the
 * schema does not allow. Returns the paths of the dropped fields. Of an object of another kind,
 * which validation refuses, only unknown fields of the metadata are dropped.
 *
 * @throws {StatusError} 400 if the metadata is malformed.
 */
function* coerce(
  { group, kind, schemas }: ConvertedKind,
  object: ApiObject,
): Generator<void, readonly string[]> {
  const version = versionOf(object);
  const isOurs = object.kind === kind && object.apiVersion === `${group}/${version}`;
  const schema: JsonSchema | undefined = isOurs
    ? schemas.get(version)
    : { "x-kubernetes-preserve-unknown-fields": true };
  try {
    nestedText(object, "apiVersion"); // Null counts as absent.
    return yield* coerceInSteps(object, schema);
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof AccessorError)) throw error;
    throw badRequest(
      `${object.kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`,
    );
  }
}

function once<T extends TypeSchema | CustomRules | undefined>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
