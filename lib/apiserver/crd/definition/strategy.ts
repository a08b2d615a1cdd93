// Mirrors `registry/customresourcedefinition/strategy.go, strategy`.
import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  definitionErrors,
  type DefinitionSpec,
  definitionUpdateErrors,
  itemsOf,
  noNames,
  SCHEMA_CODE,
  setCondition,
  someSchema,
  statusErrors,
  supportedFormat,
} from "@xca/apimachinery/internal/schema";
import { cloneJson, goQuote, jsonEqual } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const WEBHOOK_PORT = 443;

/** The strategy (defaults, validation, preparation) of CustomResourceDefinitions. */
export const customResourceDefinitionStrategy: KindStrategy = typedStrategy<
  CustomResourceDefinition
>({
  allowUnconditionalUpdate: false,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],

  defaults(object): void {
    const spec = object.spec ??= {} as DefinitionSpec;
    const names = spec.names ??= noNames();
    if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
    if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
    spec.conversion ??= { strategy: "None" };
    const service = spec.conversion.webhook?.clientConfig?.service;
    if (service) service.port ??= WEBHOOK_PORT;
    const status = object.status ??= {
      conditions: null,
      acceptedNames: noNames(),
      storedVersions: null,
    };
    status.conditions ??= null;
    status.acceptedNames = { ...noNames(), ...status.acceptedNames };
    if (!status.storedVersions?.length) {
      const storage = storageVersionOf(spec);
      status.storedVersions = storage === undefined ? null : [storage];
    }
  },

  prepareForCreate(object): void {
    const storage = storageVersionOf(object.spec);
    object.status = {
      conditions: null,
      acceptedNames: noNames(),
      storedVersions: storage === undefined ? null : [storage],
    };
    object.metadata.generation = 1;
  },

  validateCreate: (object) => SCHEMA_CODE.use((code) => definitionErrors(code, object)),

  prepareForUpdate(object, old): void {
    object.status = cloneJson(old.status);
    if (!jsonEqual(object.spec, old.spec)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
    const storage = storageVersionOf(object.spec);
    const stored = object.status.storedVersions ?? [];
    if (storage !== undefined && !stored.includes(storage)) {
      object.status.storedVersions = [...stored, storage];
    }
  },

  validateUpdate: (object, old) =>
    SCHEMA_CODE.use((code) => definitionUpdateErrors(code, object, old)),

  warnings(object, old): readonly string[] {
    const known = new Set(old ? unknownFormats(old) : []);
    const formats = unknownFormats(object).filter((format) => !known.has(format));
    const knownItems = new Set(old ? itemsOfSets(old) : []);
    const items = itemsOfSets(object).filter((type) => !knownItems.has(type));
    return [
      ...formats.map((format) => `unrecognized format ${goQuote(format)}`),
      ...items.map((type) =>
        `x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by ` +
        "server-side apply or CEL validation rules"
      ),
    ];
  },

  status: {
    prepareForUpdate(object, old): void {
      object.spec = cloneJson(old.spec);
    },
    validateUpdate: (object) => statusErrors(object),
  },

  markDeleted(object, { now }): void {
    const { metadata } = object;
    metadata.deletionTimestamp ??= formatTime(now);
    const finalizers = metadata.finalizers ??= [];
    if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
    setCondition(object, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message:
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    }, now);
  },
});

function storageVersionOf({ versions }: DefinitionSpec): string | undefined {
  return versions?.find((version) => version.storage)?.name;
}

/**
 * Returns the formats in a CustomResourceDefinition's schemas that validation ignores, repeated
 * ones included; a schema that all versions share counts once.
 */
function unknownFormats({ spec }: CustomResourceDefinition): string[] {
  const found: string[] = [];
  const schemas = (spec.versions ?? []).map((version) => version.schema);
  const [first, ...others] = schemas;
  // A schema that all versions share counts once.
  const distinct = others.every((each) => jsonEqual(each, first)) ? [first] : schemas;
  for (const each of distinct) {
    someSchema(each?.openAPIV3Schema, ({ format = "", type = "" }) => {
      if (!supportedFormat(format, [type])) found.push(format);
      return false;
    });
  }
  return found;
}

/**
 * Returns the sorted types, other than scalars, of items of lists of type `set` in a definition's
 * schemas.
 */
function itemsOfSets({ spec }: CustomResourceDefinition): string[] {
  const found = new Set<string>();
  for (const { schema } of spec.versions ?? []) {
    someSchema(schema?.openAPIV3Schema, (each) => {
      const type = itemsOf(each)?.type;
      const isSet = each["x-kubernetes-list-type"] === "set";
      if (isSet && (type === "object" || type === "array")) found.add(type);
      return false;
    });
  }
  return [...found].sort();
}
