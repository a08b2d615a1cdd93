import { isMap } from "@xca/apimachinery/internal/values";

/** The path of a field that the reduction of an object keeps unchanged. */
type Kept = readonly string[];

/**
 * Returns copies of a JSON value, each of them smaller in one position: without a field or an item,
 * or with a shorter text or a smaller number. The fields with the paths in `kept`, from the root,
 * are neither removed nor changed.
 */
export function smaller<T>(value: T, kept: readonly Kept[] = []): T[] {
  return variants(value, kept) as T[];
}

function variants(value: unknown, kept: readonly Kept[]): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [
      value.toSpliced(index, 1),
      ...variants(item, []).map((each) => value.with(index, each)),
    ]);
  }
  if (isMap(value)) {
    return Object.keys(value).flatMap((name) => {
      const below = kept.filter(([first]) => first === name).map(([, ...rest]) => rest);
      if (below.some((rest) => rest.length === 0)) return [];
      const { [name]: field, ...others } = value;
      const without = below.length > 0 ? [] : [others];
      return [...without, ...variants(field, below).map((each) => ({ ...value, [name]: each }))];
    });
  }
  if (typeof value === "string" && value !== "") {
    return [...new Set(["", "a", value.slice(0, value.length >> 1)])].filter((each) =>
      each.length < value.length
    );
  }
  if (typeof value === "number" && value !== 0) {
    return [...new Set([0, 1, Math.trunc(value / 2)])].filter((each) =>
      Math.abs(each) < Math.abs(value)
    );
  }
  return [];
}
