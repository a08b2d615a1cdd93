import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";

const UINT64_MAX = 2n ** 64n - 1n;

/** Whether the real server has a cache of what there is of a resource: it has none of events. */
export function isCached({ group, plural }: Pick<ApiResource, "group" | "plural">): boolean {
  return plural !== "events" || (group !== "" && group !== "events.k8s.io");
}

/** What is wrong with a resourceVersion, in the words of the real server; `undefined`: nothing. */
function problem(text: string): string | undefined {
  const wrong = !/^\d+$/.test(text)
    ? "invalid syntax"
    : BigInt(text) > UINT64_MAX
    ? "value out of range"
    : undefined;
  if (wrong === undefined) return undefined;
  const quoted = goQuote(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${wrong}`;
}

/** The revision that a list asks for; 0 when it asks for none. @throws {StatusError} 400 */
export function listRevision(text: string): number {
  if (text === "") return 0;
  const why = problem(text);
  if (why !== undefined) throw badRequest(`invalid resource version: ${why}`);
  return Number(text);
}

/** The revision that a read or a watch asks for; 0 when it asks for none. @throws {StatusError} 500 */
export function readRevision(text: string): number {
  if (text === "") return 0;
  const why = problem(text);
  if (why !== undefined) throw new StatusError(500, "", why);
  return Number(text);
}

/** The revision that an object says of itself. @throws {StatusError} 500 */
export function objectRevision(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  const why = problem(text);
  if (why !== undefined) {
    throw new StatusError(500, "", why.slice(why.indexOf("strconv.")));
  }
  return Number(text);
}
