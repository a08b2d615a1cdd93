import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { ChangeLevel, Report } from "../change.ts";

/** A schema of the new CustomResourceDefinition that contains the compared schema. */
export interface Holder {
  /** The containing schema in the new CustomResourceDefinition. */
  readonly schema: V1JSONSchemaProps;
  /** The field path of the containing schema; empty for the whole object. */
  readonly path: string;
  /**
   * The path step from the containing schema to the next schema: a field name, `*` for map values,
   * `[*]` for items.
   */
  readonly step: string;
}

/** The position in two CustomResourceDefinitions of the schemas that are being compared. */
export interface Position {
  /** The field path of the compared schemas; empty for the whole object. */
  readonly path: string;
  /** The schemas that contain the compared one, from the root on. */
  readonly holders: readonly Holder[];
  /** The function that receives the schema changes that the comparison finds. */
  readonly report: Report;
}

/** The step of a field path from a list to its items. */
export const ITEMS = "[*]";
/** The step of a field path from a map to its values. */
export const VALUES = "*";

/** Returns the position one step below a schema in the comparison of two definitions. */
export function below(position: Position, schema: V1JSONSchemaProps, step: string): Position {
  return {
    path: joined(position.path, step),
    holders: [...position.holders, { schema, path: position.path, step }],
    report: position.report,
  };
}

/**
 * Returns the path of a field, of map values or of list items below a path: `.spec`, `.spec.*`,
 * `.spec[*]`, or `.spec["a b"]` for a name that is no identifier.
 */
export function joined(path: string, step: string): string {
  if (step === ITEMS) return path + ITEMS;
  const isPlain = step === VALUES || /^[A-Za-z_$][\w$-]*$/.test(step);
  return isPlain ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`;
}

/**
 * Returns the path of the value that an update must leave unchanged so that the API server does not
 * apply new rules at a position to a stored object (ratcheting); `undefined` for the object itself,
 * whose metadata changes with each update.
 *
 * Mirrors `apiserver/validation/ratcheting.go, ratchetingValueValidator`: items of a list correlate
 * with old items only in lists of type `map`.
 */
export function ratchetedPath({ path, holders }: Position): string | undefined {
  const list = holders.find(({ schema, step }) =>
    step === ITEMS && schema["x-kubernetes-list-type"] !== "map"
  );
  const found = list?.path ?? path;
  return found === "" ? undefined : found;
}

/** Reports a change at a position of the compared schemas. */
export function found(
  position: Position,
  level: ChangeLevel,
  rule: string,
  reason: string,
): void {
  position.report({ level, rule, path: position.path === "" ? "." : position.path, reason });
}

/**
 * Reports a breaking change that makes the API server refuse values, with the path of the value
 * that must stay unchanged for ratcheting to accept stored objects.
 */
export function refuses(position: Position, rule: string, reason: string): void {
  const ratchets = ratchetedPath(position);
  position.report({
    level: "breaking",
    rule,
    path: position.path === "" ? "." : position.path,
    reason,
    ...(ratchets !== undefined && { ratchets }),
  });
}
