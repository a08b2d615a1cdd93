import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { findField, stepsOf } from "./field_path.ts";
import type { PrinterColumn, ScalePathsInit } from "./resource_init.ts";
import { scalePathsOf } from "./scale_paths.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = [
  "int32",
  "int64",
  "float",
  "double",
  "byte",
  "date",
  "date-time",
  "password",
];
const SELECTABLE_TYPES = ["boolean", "integer", "string"];
const MOST_SELECTABLE = 8;

/**
 * Returns the problems of the printer columns of a resource version as messages; empty if there are
 * none. `schema` is the schema of the version's whole objects.
 */
export function columnProblems(
  schema: V1JSONSchemaProps,
  columns: readonly PrinterColumn[] = [],
): string[] {
  const names = columns.map(({ name }) => name);
  return columns.flatMap(({ name, type, jsonPath, format, priority = 0 }, index) => {
    const at = `printerColumns[${index}]`;
    const problems: string[] = [];
    if (typeof name !== "string" || name === "") problems.push(`${at}.name must be a text`);
    else if (names.indexOf(name) !== index) problems.push(`${at}.name ${name} is given twice`);
    if (!COLUMN_TYPES.includes(type)) {
      problems.push(`${at}.type must be one of ${COLUMN_TYPES.join(", ")}, is ${quoted(type)}`);
    }
    if (format !== undefined && !COLUMN_FORMATS.includes(format)) {
      problems.push(
        `${at}.format must be one of ${COLUMN_FORMATS.join(", ")}, is ${quoted(format)}`,
      );
    }
    if (!Number.isInteger(priority) || priority < 0) {
      problems.push(`${at}.priority must be a whole number from 0 on, is ${priority}`);
    }
    return [...problems, ...pathProblems(schema, `${at}.jsonPath`, jsonPath, {})];
  });
}

/**
 * Returns the problems of the selectable fields of a resource version as messages; empty if there
 * are none. `schema` is the schema of the version's whole objects.
 */
export function selectableProblems(
  schema: V1JSONSchemaProps,
  paths: readonly string[] = [],
): string[] {
  const problems = paths.flatMap((path, index) => {
    const at = `selectableFields[${index}]`;
    if (paths.indexOf(path) !== index) return [`${at} ${path} is given twice`];
    if (path.startsWith(".metadata")) return [`${at} must not be a field of the metadata`];
    return pathProblems(schema, at, path, { isPlain: true, types: SELECTABLE_TYPES });
  });
  if (paths.length > MOST_SELECTABLE) {
    problems.push(`selectableFields has ${paths.length} fields, at most ${MOST_SELECTABLE} can be`);
  }
  return problems;
}

/**
 * Returns the problems of the scale subresource of a resource version as messages; empty if there
 * are none. `schema` is the schema of the version's whole objects.
 */
export function scaleProblems(
  schema: V1JSONSchemaProps,
  scale: true | ScalePathsInit | undefined,
): string[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scalePathsOf(scale);
  const check = (
    name: string,
    path: string,
    begins: readonly string[],
    types: readonly string[],
  ): string[] => {
    const at = `subresources.scale.${name}`;
    return begins.some((each) => path.startsWith(`${each}.`))
      ? pathProblems(schema, at, path, { isPlain: true, types })
      : [`${at} must begin with ${begins.join(". or ")}., is ${quoted(path)}`];
  };
  return [
    ...check("specReplicasPath", specReplicasPath, [".spec"], ["integer"]),
    ...check("statusReplicasPath", statusReplicasPath, [".status"], ["integer"]),
    ...(labelSelectorPath === undefined
      ? []
      : check("labelSelectorPath", labelSelectorPath, [".spec", ".status"], ["string"])),
  ];
}

/** The conditions on a field path, in addition to the existence of the field in the schema. */
interface PathRules {
  /**
   * Sets whether the field path must consist of field names only, without steps into lists or maps
   * (`[]`).
   *
   * @default {false}
   */
  readonly isPlain?: boolean;
  /** The permitted types of the field at the checked path. @default every type */
  readonly types?: readonly string[];
}

function pathProblems(
  schema: V1JSONSchemaProps,
  at: string,
  path: unknown,
  { isPlain = false, types }: PathRules,
): string[] {
  const steps = typeof path === "string" ? stepsOf(path) : undefined;
  if (steps === undefined || isPlain && steps.includes("[]")) {
    return [`${at} must be a path such as .spec.replicas, is ${quoted(path)}`];
  }
  const found = findField(schema, steps);
  if ("missing" in found) {
    const { missing, known } = found;
    const others = known.length > 0
      ? `; there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`
      : "";
    return [`${at} ${path} names ${missing}, which the schema does not have${others}`];
  }
  const { type } = found.schema;
  if (types === undefined || type === undefined || types.includes(type)) return [];
  return [`${at} ${path} is of type ${type}, must be of type ${types.join(" or ")}`];
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}
