import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  definitionErrors,
  type DefinitionSpec,
  definitionUpdateErrors,
  noNames,
  setCondition,
  someSchema,
  statusErrors,
  supportedFormat,
} from "@xca/apimachinery/internal/schema";
import { type ApiObject, goQuote, jsonEqual } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { KindStrategy } from "../../machinery/strategy.ts";

const WEBHOOK_PORT = 443;

function asDefinition(object: ApiObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** CustomResourceDefinition. */
export const CUSTOM_RESOURCE_DEFINITION: KindStrategy = {
  allowUnconditionalUpdate: false,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],

  defaults(object): void {
    const definition = asDefinition(object);
    const spec = definition.spec ??= {} as DefinitionSpec;
    const names = spec.names ??= noNames();
    if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
    if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
    spec.conversion ??= { strategy: "None" };
    const service = spec.conversion.webhook?.clientConfig?.service;
    if (service) service.port ??= WEBHOOK_PORT;
    const status = definition.status ??= {
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
    const definition = asDefinition(object);
    const storage = storageVersionOf(definition.spec);
    definition.status = {
      conditions: null,
      acceptedNames: noNames(),
      storedVersions: storage === undefined ? null : [storage],
    };
    definition.metadata.generation = 1;
  },

  validateCreate: (object) => definitionErrors(asDefinition(object)),

  prepareForUpdate(object, old): void {
    const definition = asDefinition(object);
    const before = asDefinition(old);
    definition.status = structuredClone(before.status);
    if (!jsonEqual(definition.spec, before.spec)) {
      definition.metadata.generation = (before.metadata.generation ?? 0) + 1;
    }
    const storage = storageVersionOf(definition.spec);
    const stored = definition.status.storedVersions ?? [];
    if (storage !== undefined && !stored.includes(storage)) {
      definition.status.storedVersions = [...stored, storage];
    }
  },

  validateUpdate: (object, old) => definitionUpdateErrors(asDefinition(object), asDefinition(old)),

  warnings(object, old): readonly string[] {
    const known = new Set(old ? unknownFormats(asDefinition(old)) : []);
    return unknownFormats(asDefinition(object)).filter((format) => !known.has(format))
      .map((format) => `unrecognized format ${goQuote(format)}`);
  },

  status: {
    prepareForUpdate(object, old): void {
      object.spec = structuredClone(old.spec);
    },
    validateUpdate: (object) => statusErrors(asDefinition(object)),
  },

  markDeleted(object, { now }): void {
    const definition = asDefinition(object);
    const { metadata } = definition;
    metadata.deletionTimestamp ??= formatTime(now);
    const finalizers = metadata.finalizers ??= [];
    if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
    setCondition(definition, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message:
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    }, now);
  },
};

function storageVersionOf({ versions }: DefinitionSpec): string | undefined {
  return versions?.find((version) => version.storage)?.name;
}

/** Formats in schemas that nothing checks. */
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
