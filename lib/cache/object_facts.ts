import type { ObjectKey } from "../meta/object_key.ts";
import type { OwnerReference } from "../meta/object.ts";

/** What is known of an object without parsing it: extracted from its text when it arrives. */
export interface ObjectFacts {
  /** The object's key: `namespace/name`, or `name` when cluster-scoped. */
  readonly key: ObjectKey;
  /** The namespace; empty when cluster-scoped. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The identity; empty when the object carries none. */
  readonly uid: string;
  /** The version; empty when the object carries none. */
  readonly resourceVersion: string;
  /** Counts the changes of the spec; `undefined` when the kind does not count them. */
  readonly generation: number | undefined;
  /** When deletion was asked for, RFC 3339; `undefined` unless it was. */
  readonly deletionTimestamp: string | undefined;
  /** The labels; shared and frozen. */
  readonly labels: Readonly<Record<string, string>>;
  /** The owners; shared and frozen. */
  readonly ownerReferences: readonly OwnerReference[];
  /** The finalizers; shared and frozen. */
  readonly finalizers: readonly string[];
}
