import {
  declared,
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  invalidForEach,
  qualifiedNameProblems,
  validateLabelKey,
} from "@xca/apimachinery/internal/validation";
import type { V1StorageClass } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { declareImmutable } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Term = NonNullable<V1StorageClass["allowedTopologies"]>[number];

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;
const RECLAIM_POLICIES = ["Delete", "Retain"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

/**
 * The strategy of StorageClasses, which sets defaults and validates writes
 * (registry/storage/storageclass, `Strategy`).
 */
export const storageClassStrategy: KindStrategy = typedStrategy<V1StorageClass>({
  defaults(object) {
    object.reclaimPolicy ??= "Delete";
    object.volumeBindingMode ??= "Immediate";
  },
  validateCreate: validate,
  validateUpdate: (object, old) =>
    (["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"] as const)
      .flatMap((field) => declareImmutable(object[field], old[field], FieldPath.of(field))),
  metadataOfUpdate: "change",
});

function validate(object: V1StorageClass): FieldError[] {
  const { provisioner = "", reclaimPolicy = "", volumeBindingMode = "" } = object;
  const errors: FieldError[] = [];
  const problems = validateProvisioner(provisioner, FieldPath.of("provisioner"));
  errors.push(...provisioner === "" ? declared(...problems) : problems);
  errors.push(...validateParameters(object.parameters ?? {}));
  if (reclaimPolicy !== "" && !RECLAIM_POLICIES.includes(reclaimPolicy)) {
    errors.push(notSupported(FieldPath.of("reclaimPolicy"), reclaimPolicy, RECLAIM_POLICIES));
  }
  if (!BINDING_MODES.includes(volumeBindingMode)) {
    const at = FieldPath.of("volumeBindingMode");
    errors.push(notSupported(at, volumeBindingMode, BINDING_MODES));
  }
  return [...errors, ...validateTopologies(object.allowedTopologies ?? [])];
}

/**
 * Validates the topology terms of a StorageClass, which may be neither equal nor empty. An empty
 * term is reported as a duplicate, at least once for each term.
 */
function validateTopologies(terms: readonly Term[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = terms.map(() => "[]");
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const at = FieldPath.of("allowedTopologies").index(index).child("matchLabelExpressions");
    const said = new Map<string, string[]>();
    for (const [place, expression] of matchLabelExpressions.entries()) {
      const { key = "" } = expression;
      const values = expression.values ?? []; // An absent list is null.
      errors.push(...validateValues(values, at.index(place).child("values")));
      errors.push(...validateLabelKey(key, at.index(place).child("key")));
      if (said.has(key)) errors.push(duplicate(at.index(place).child("key"), key));
      said.set(key, [...new Set(values)].sort());
    }
    const text = JSON.stringify([...said].sort(([a], [b]) => a < b ? -1 : 1));
    for (const other of seen) if (other === text) errors.push(duplicate(at, ""));
    seen.push(text);
  }
  return errors;
}

function validateValues(values: readonly string[], path: FieldPath): FieldError[] {
  if (values.length === 0) return [required(path)];
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [duplicate(path.index(index), value)] : []
  );
}

/** Validates the name of a volume provisioner or a CSI driver. */
export function validateProvisioner(provisioner: string, path: FieldPath): FieldError[] {
  if (provisioner === "") return [required(path)];
  const name = provisioner.toLowerCase();
  return invalidForEach(path, name, qualifiedNameProblems(name));
}

/**
 * Validates the parameters of a StorageClass or a VolumeAttributesClass: at most 512, none with an
 * empty key, and at most 256 KiB together.
 */
export function validateParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const path = FieldPath.of("parameters");
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  const errors = entries.filter(([key]) => key === "")
    .map(([key]) => invalid(path, key, "field can not be empty."));
  const size = entries.reduce((sum, [key, text]) => sum + byteLength(key) + byteLength(text), 0);
  if (size > MAX_PARAMETER_BYTES) errors.push(tooLong(path, MAX_PARAMETER_BYTES));
  return errors;
}
