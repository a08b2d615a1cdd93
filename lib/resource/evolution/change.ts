/** The severity of a change of a CustomResourceDefinition for existing objects and clients. */
export type ChangeLevel = "safe" | "warning" | "breaking";

/** The levels of changes of a CustomResourceDefinition, from the least to the most severe. */
export const CHANGE_LEVELS: readonly ChangeLevel[] = ["safe", "warning", "breaking"];

/**
 * A change between the old and the new state of a CustomResourceDefinition, with its effect on
 * existing objects and clients.
 */
export interface CrdChange {
  /**
   * The effect of the change. After a `safe` change each object that was valid is valid and keeps
   * its fields and values. After a `warning` change this is still so, but, for example, clients may
   * receive values that they do not know, objects get other defaults, or commands fail that use a
   * removed short name. After a `breaking` change, objects may be refused or lose fields, or
   * requests of clients fail.
   */
  readonly level: ChangeLevel;
  /** The kind of the change, such as `field-removed`; stable, for programs. */
  readonly rule: string;
  /** The name of the changed CustomResourceDefinition, such as `kvdis.example.com`. */
  readonly crd: string;
  /**
   * The version whose schema or settings change, or in which objects lose fields or are invalid for
   * lack of a conversion webhook; absent for a change of the whole definition.
   */
  readonly version?: string;
  /**
   * The path of the changed field. The path of a field of the objects begins with a dot:
   * `.spec.ports[*].name`, with `[*]` for each item and `.*` for each value of a map; `.` is the
   * whole object. The path of a field of the definition does not: `spec.scope`. Empty for an added
   * or removed definition.
   */
  readonly path: string;
  /** The description of the change and its consequence, such as `the field is new`. */
  readonly reason: string;
  /**
   * The path of the value that an update must leave unchanged for stored objects to stay updatable
   * (ratcheting validation, Kubernetes 1.30 and later); absent if ratcheting does not apply.
   */
  readonly ratchets?: string;
  /**
   * An object that was valid and is refused, or loses fields, after the change; absent if none was
   * found.
   */
  readonly witness?: Readonly<Record<string, unknown>>;
}

/**
 * A change of a CustomResourceDefinition as a comparison finds it: without the name of the
 * definition, the version and the example object, which the caller adds.
 */
export type FoundChange = Omit<CrdChange, "crd" | "version" | "witness">;

/** A function that receives each change of a CustomResourceDefinition that a comparison finds. */
export type Report = (change: FoundChange) => void;

/**
 * Returns the most severe level of changes of a CustomResourceDefinition; `safe` without changes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { worstLevel } from "@xca/operator/evolution";
 *
 * assert.equal(worstLevel([{ level: "safe" }, { level: "warning" }]), "warning");
 * ```
 */
export function worstLevel(changes: readonly { readonly level: ChangeLevel }[]): ChangeLevel {
  return CHANGE_LEVELS.findLast((level) => changes.some((change) => change.level === level)) ??
    "safe";
}
