// Mirrors `endpoints/filters/request_deadline.go, parseTimeout`.
import { badRequest } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);
const LARGEST = 2 ** 63;

/**
 * Throws an error if the `timeout` query parameter of a request is present and not a duration in
 * Go's syntax, such as `30s`. A valid value has no effect, since no request of this server runs
 * that long.
 *
 * @see k8s.io/apiserver/pkg/endpoints/filters, parseTimeout
 * @throws {StatusError} 400 if the parameter is not a duration.
 */
export function checkTimeout(query: URLSearchParams): void {
  const value = query.get("timeout") ?? "";
  const why = value === "" ? undefined : durationProblem(value);
  if (why === undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - ${why}`);
}

/**
 * Returns the message of Go's `time.ParseDuration` for an invalid duration, or `undefined` for a
 * valid one.
 */
function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${goQuote(text)}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return undefined;
  if (rest === "") return invalid;
  let total = 0;
  while (rest !== "") {
    const [number] = /^(\d+\.?\d*|\.\d+)/.exec(rest) ?? [];
    if (number === undefined) return invalid;
    const [unit] = /^[^.\d]*/.exec(rest.slice(number.length))!;
    if (unit === "") return `time: missing unit in duration ${goQuote(text)}`;
    const scale = UNITS.get(unit);
    if (scale === undefined) {
      return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
    }
    total += Number(number) * scale;
    if (total > LARGEST) return invalid;
    rest = rest.slice(number.length + unit.length);
  }
  return undefined;
}
