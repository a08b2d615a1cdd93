// Mirrors `apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinitionNames`.
import {
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { dns1035LabelProblems } from "../../validation/names.ts";
import { byteLength } from "../../validation/texts.ts";
import { type JsonSchema, propertyOf, valuesOf } from "../structural/json_schema.ts";
import type {
  DefinitionColumn,
  DefinitionNames,
  DefinitionSubresources,
  SelectableField,
} from "./definition.ts";

const MAX_SELECTABLE_FIELDS = 8;
const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64"]
  .concat("password");

/**
 * Returns the field errors of the names in the spec or the status of a CustomResourceDefinition;
 * empty names are not checked.
 */
export function namesErrors(names: DefinitionNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, value: string | undefined, isKind = false): void => {
    if (!value) return;
    const problems = dns1035LabelProblems(isKind ? value.toLowerCase() : value);
    if (problems.length === 0) return;
    const why = isKind ? "may have mixed case, but should otherwise match: " : "";
    errors.push(invalid(path.child(field), value, why + problems.join(",")));
  };
  const checkEach = (field: string, values: readonly string[] = []): void => {
    for (const [index, value] of values.entries()) {
      const problems = dns1035LabelProblems(value);
      if (problems.length === 0) continue;
      errors.push(invalid(path.child(field).index(index), value, problems.join(",")));
    }
  };
  check("plural", names.plural);
  check("singular", names.singular);
  check("kind", names.kind, true);
  check("listKind", names.listKind, true);
  checkEach("shortNames", names.shortNames);
  if (names.kind && names.kind === names.listKind) {
    const why = "kind and listKind may not be the same";
    errors.push(invalid(path.child("listKind"), names.listKind, why));
  }
  checkEach("categories", names.categories);
  return errors;
}

/** Returns the field errors of a printer column of a CustomResourceDefinition. */
export function columnErrors(column: DefinitionColumn, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!column.name) errors.push(required(path.child("name")));
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (!column.type) errors.push(required(path.child("type"), types));
  else if (!COLUMN_TYPES.includes(column.type)) {
    errors.push(invalid(path.child("type"), column.type, types));
  }
  if (column.format && !COLUMN_FORMATS.includes(column.format)) {
    const why = `must be one of ${COLUMN_FORMATS.join(",")}`;
    errors.push(invalid(path.child("format"), column.format, why));
  }
  const at = path.child("JSONPath");
  if (!column.jsonPath) errors.push(required(at));
  else errors.push(...simplePathErrors(column.jsonPath, at));
  return errors;
}

function simplePathErrors(text: string, path: FieldPath): FieldError[] {
  return text.startsWith(".")
    ? []
    : [invalid(path, text, "must be a simple json path starting with .")];
}

/**
 * Returns the field errors of the subresources of a CustomResourceDefinition or of one of its
 * versions: those of the field paths of `scale`.
 */
export function subresourceErrors(
  subresources: DefinitionSubresources | undefined,
  path: FieldPath,
): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const errors: FieldError[] = [];
  const check = (field: string, value: string, roots: readonly string[], where: string): void => {
    const at = path.child(`scale.${field}`);
    const simple = simplePathErrors(value, at);
    if (simple.length > 0) errors.push(...simple);
    else if (!roots.some((root) => value.startsWith(root))) {
      errors.push(invalid(at, value, `should be a json path under ${where}`));
    }
  };
  if (!scale.specReplicasPath) errors.push(required(path.child("scale.specReplicasPath")));
  else check("specReplicasPath", scale.specReplicasPath, [".spec."], ".spec");
  if (!scale.statusReplicasPath) errors.push(required(path.child("scale.statusReplicasPath")));
  else check("statusReplicasPath", scale.statusReplicasPath, [".status."], ".status");
  if (scale.labelSelectorPath) {
    const where = "either .spec or .status";
    check("labelSelectorPath", scale.labelSelectorPath, [".spec.", ".status."], where);
  }
  return errors;
}

/**
 * Returns the texts of the problems of the deprecation warning of a CustomResourceDefinition's
 * version; an empty list if the warning is valid or absent.
 */
export function deprecationProblems(
  deprecated: boolean | undefined,
  warning: string | undefined,
): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  const problems: string[] = [];
  if (byteLength(warning) > 256) problems.push("must be <= 256 characters long");
  if (warning === "") problems.push("must not be an empty string");
  let index = 0;
  for (const character of warning) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      problems.push(
        "must only contain printable UTF-8 characters; non-printable character found at index " +
          index,
      );
      break;
    }
    index += byteLength(character);
  }
  return problems;
}

/**
 * Returns the field errors of the selectable fields of a CustomResourceDefinition or of one of its
 * versions.
 */
export function selectableFieldErrors(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = path.index(index).child("jsonPath");
    if (!jsonPath) {
      errors.push(required(at));
      continue;
    }
    const found = resolvePath(jsonPath, schema);
    if (typeof found === "string") {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (found.names[0] === "metadata") {
      errors.push(invalid(at, jsonPath, "must not point to fields in metadata"));
    }
    if (!["string", "boolean", "integer"].includes(found.schema?.type ?? "")) {
      errors.push(invalid(
        at,
        jsonPath,
        "must point to a field of type string, boolean or integer. Enum string fields and " +
          "strings with formats are allowed.",
      ));
    }
    const key = found.names.join(".");
    if (seen.has(key)) errors.push(duplicate(at, jsonPath));
    seen.add(key);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) {
    errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  }
  return errors;
}

interface ResolvedPath {
  readonly names: readonly string[];
  readonly schema: JsonSchema | undefined;
}

/**
 * Returns the field names of a JSON path and the schema of the field; a text about the problem if
 * the path is invalid.
 */
function resolvePath(jsonPath: string, root: JsonSchema): ResolvedPath | string {
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? [];
  const names: string[] = [];
  let schema: JsonSchema | undefined = root;
  for (let index = 0; index < tokens.length; index += 2) {
    const token = tokens[index]!;
    const name = tokens[index + 1];
    if (token === "[") return "array notation is not allowed";
    if (token !== ".") return `expected [ or . but got: ${token}`;
    if (name === undefined) return "unexpected end of JSON path";
    const next: JsonSchema | undefined = Object.keys(schema?.properties ?? {}).length > 0
      ? propertyOf(schema, name)
      : valuesOf(schema);
    if (next === undefined) return "does not refer to a valid field";
    schema = next;
    names.push(name);
  }
  return { names, schema };
}
