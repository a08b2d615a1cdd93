/**
 * Decodes integer query parameters into options as kube-apiserver does (`runtime/conversion.go`).
 *
 * Mirrors `runtime/conversion.go, Convert_Slice_string_To_int64`.
 *
 * @module
 */
import { badRequest } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Returns an integer query parameter, or `undefined` if it is absent.
 *
 * @throws {StatusError} 400 if it is not a 64-bit integer.
 */
export function int64Parameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  }
  const value = BigInt(text.replace(/^\+/, ""));
  if (value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  }
  return Number(value);
}
