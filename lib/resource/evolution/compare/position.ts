import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { ChangeLevel, Report } from "../change.ts";

/** A schema above the compared one, in the new definition. */
export interface Holder {
  /** The schema of the holder in the new definition. */
  readonly schema: V1JSONSchemaProps;
  /** The path of the holder; empty for the object itself. */
  readonly path: string;
  /** The step from the holder to the next schema: a field name, `*` for map values, `[*]` for items. */
  readonly step: string;
}

/** The position of the schemas that are compared. */
export interface Position {
  /** The path in objects; empty for the object itself. */
  readonly path: string;
  /** The schemas above the position, from the root on. */
  readonly holders: readonly Holder[];
  /** The function that takes the changes found. */
  readonly report: Report;
}

/** The step from a list to its items. */
export const ITEMS = "[*]";
/** The step from a map to its values. */
export const VALUES = "*";

/** Returns the position one step below a schema of the new definition. */
export function below(position: Position, schema: V1JSONSchemaProps, step: string): Position {
  return {
    path: joined(position.path, step),
    holders: [...position.holders, { schema, path: position.path, step }],
    report: position.report,
  };
}

/** Returns the path of a field, of map values or of list items below a path. */
export function joined(path: string, step: string): string {
  if (step === ITEMS) return path + ITEMS;
  const isPlain = step === VALUES || /^[A-Za-z_$][\w$-]*$/.test(step);
  return isPlain ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`;
}

/**
 * Returns the path of the value that must stay unchanged for a stored object to be exempt from new
 * rules at a position; `undefined` for the object itself, whose metadata changes with each update.
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

/** Reports a change at a position. */
export function found(
  position: Position,
  level: ChangeLevel,
  rule: string,
  reason: string,
): void {
  position.report({ level, rule, path: position.path === "" ? "." : position.path, reason });
}

/** Reports a breaking change at a position that refuses values, with what ratcheting leaves. */
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
