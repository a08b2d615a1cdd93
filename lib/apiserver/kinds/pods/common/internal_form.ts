/**
 * Converts values to the form of kube-apiserver's internal types, with their field names and with
 * zero values for absent fields. Some error messages print values in this form.
 *
 * @module
 */
import { sortedEntries } from "@xca/apimachinery/internal/values";
import { INTERNAL_TYPE_FACTS } from "../../../facts/internal_types.ts";

/**
 * A field of a kube-apiserver internal type: its internal name, its name in the API, and its kind:
 * the name of a struct type, or the letter of a pointer (`p`), list (`l`), map (`m`), string (`s`),
 * boolean (`b`), integer (`i`), quantity (`q`) or value in API form (`x`), for `p` and `l` followed
 * by the kind of the element.
 */
type FieldFact = readonly [inner: string, outer: string, kind: string];

let facts: Readonly<Record<string, readonly FieldFact[]>> | undefined;

/**
 * Returns a value of the struct type `type`, one of the generated facts, in the form of
 * kube-apiserver's internal type; an absent value counts as an empty one.
 */
export function internalForm(type: string, value: unknown): Record<string, unknown> {
  facts ??= JSON.parse(INTERNAL_TYPE_FACTS) as NonNullable<typeof facts>;
  const fields = (value ?? {}) as Record<string, unknown>;
  const form: Record<string, unknown> = {};
  for (const [inner, outer, kind] of facts[type]!) {
    if (inner === "") Object.assign(form, metadataOf(fields[outer]));
    else {
      const name = outer === "" ? inner[0]!.toLowerCase() + inner.slice(1) : outer;
      form[inner] = valueOf(kind, fields[name]);
    }
  }
  return form;
}

function valueOf(kind: string, value: unknown): unknown {
  const rest = kind.slice(1);
  const isAbsent = value === undefined || value === null;
  switch (kind[0]) {
    case "p":
      return isAbsent ? null : valueOf(rest, value);
    case "l":
      if (isAbsent) return null;
      return (value as unknown[]).map((item) => valueOf(rest, item));
    case "m":
      return isAbsent ? null : sorted(value as Record<string, unknown>);
    case "s":
      return value ?? "";
    case "b":
      return value ?? false;
    case "i":
      return value ?? 0;
    case "q":
      return value ?? "0";
    case "x":
      return asInApi(value ?? null);
    default:
      return internalForm(kind, value);
  }
}

/**
 * Returns the internal form of an object's metadata, in which labels and annotations are sorted by
 * key.
 */
function metadataOf(value: unknown): Record<string, unknown> {
  const { labels, annotations, ...rest } = (value ?? {}) as Record<string, unknown>;
  return {
    ...rest,
    ...labels !== undefined && { labels: sorted(labels as Record<string, unknown>) },
    ...annotations !== undefined && { annotations: sorted(annotations as Record<string, unknown>) },
  };
}

/**
 * Returns the internal form of a value without an internal type of its own: unchanged, but with the
 * `matchLabels` of a selector sorted by key.
 */
function asInApi(value: unknown): unknown {
  const { matchLabels } = (value ?? {}) as { matchLabels?: Record<string, unknown> };
  return matchLabels ? { ...value as object, matchLabels: sorted(matchLabels) } : value;
}

/** Returns the entries of a map in kube-apiserver's internal form, sorted by key. */
function sorted(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(sortedEntries(map));
}
