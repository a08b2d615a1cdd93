// Mirrors `storage/api_object_versioner.go, APIObjectVersioner.ParseResourceVersion`.
import { badRequest, StatusError } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";

const UINT64_MAX = 2n ** 64n - 1n;

/** Reports whether kube-apiserver keeps a watch cache of a resource. It keeps none of events. */
export function isCached({ group, plural }: Pick<ApiResource, "group" | "plural">): boolean {
  return plural !== "events" || (group !== "" && group !== "events.k8s.io");
}

/**
 * Returns kube-apiserver's message about an invalid resourceVersion, or `undefined` for a valid
 * one.
 */
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

/**
 * Parses the `resourceVersion` parameter of a list request; 0 if empty.
 *
 * @throws {StatusError} 400 if it is not an unsigned 64-bit integer.
 */
export function listRevision(text: string): number {
  if (text === "") return 0;
  const why = problem(text);
  if (why !== undefined) throw badRequest(`invalid resource version: ${why}`);
  return Number(text);
}

/**
 * Parses the `resourceVersion` parameter of a GET or watch request; 0 if empty.
 *
 * @throws {StatusError} 500 if it is not an unsigned 64-bit integer.
 */
export function readRevision(text: string): number {
  if (text === "") return 0;
  const why = problem(text);
  if (why !== undefined) throw new StatusError(500, "", why);
  return Number(text);
}

/**
 * Parses the `metadata.resourceVersion` of an object in a write; 0 if absent.
 *
 * @throws {StatusError} 500 if it is not an unsigned 64-bit integer.
 */
export function objectRevision(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  const why = problem(text);
  if (why !== undefined) {
    throw new StatusError(500, "", why.slice(why.indexOf("strconv.")));
  }
  return Number(text);
}
