// Mirrors `runtime/conversion.go, Convert_Slice_string_To_bool`.

/**
 * Returns the first value of a boolean query parameter of a request to an API server or a kubelet,
 * or `undefined` if the query has no such parameter. `0` and `false`, in any case, are false; all
 * other texts are true, the empty text included.
 */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text !== "0" && text.toLowerCase() !== "false";
}
