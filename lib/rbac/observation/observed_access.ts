import type { Access } from "../access_need.ts";

/** An access that was observed in one or several requests. */
export interface ObservedAccess extends Access {
  /** The name of the controller that made the request; empty when it is unknown. */
  readonly controller: string;
  /**
   * The first observed request with the access, such as `PATCH
   * /api/v1/namespaces/shop/secrets/token`; from an audit log with the RBAC verb in place of the
   * HTTP method.
   */
  readonly request: string;
}

/** The version of the text format in which observed accesses are saved. */
const FORMAT = 1;

/** A set of observed accesses, each of which it contains once. */
export class Observations {
  readonly #accesses = new Map<string, ObservedAccess>();

  /**
   * Adds an observed access, unless the set has that access of that controller, or every user has
   * it.
   */
  add(access: ObservedAccess): void {
    if (isOfEveryUser(access)) return;
    const { verb, group, resource, namespace, name, controller } = access;
    const key = JSON.stringify([controller, group, resource, verb, namespace, name ?? ""]);
    if (!this.#accesses.has(key)) this.#accesses.set(key, access);
  }

  /**
   * Returns the observed accesses of the set, sorted by controller, group, resource, verb,
   * namespace and name.
   */
  list(): ObservedAccess[] {
    return [...this.#accesses].sort(([a], [b]) => a < b ? -1 : 1).map(([, access]) => access);
  }
}

/**
 * Reports whether every user has an access, by the ClusterRole `system:basic-user` of Kubernetes.
 */
function isOfEveryUser({ group, resource }: Access): boolean {
  return (group === "authorization.k8s.io" || group === "authentication.k8s.io") &&
    resource.startsWith("self");
}

/**
 * Returns observed accesses as the JSON text of a file, which {@linkcode parseObservation} reads.
 */
export function formatObservation(accesses: readonly ObservedAccess[]): string {
  return `${JSON.stringify({ observedAccess: FORMAT, accesses }, null, 2)}\n`;
}

/**
 * Parses the text of a recording of observed accesses ({@linkcode AccessRecording.text}). Returns
 * `undefined` for a text that is not JSON or not a recording.
 *
 * @throws {TypeError} When a recording has another version, or is damaged.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseObservation, recordAccess } from "@xca/operator/rbac";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const { text } = recordAccess(client); // of a test, by way of a file
 * assert.deepEqual(parseObservation(text), []);
 * ```
 */
export function parseObservation(text: string): ObservedAccess[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("observedAccess" in value)) return undefined;
  const { observedAccess, accesses } = value as {
    readonly observedAccess: unknown;
    readonly accesses?: unknown;
  };
  if (observedAccess !== FORMAT) {
    throw new TypeError(
      `Cannot read the recording: its version is ${JSON.stringify(observedAccess)}, and not ` +
        `${FORMAT}; record it again by this version of the library`,
    );
  }
  if (!Array.isArray(accesses) || !accesses.every(isObserved)) {
    throw new TypeError("Cannot read the recording: it is damaged; record it again");
  }
  return accesses;
}

function isObserved(value: unknown): value is ObservedAccess {
  if (typeof value !== "object" || value === null) return false;
  const access = value as Record<string, unknown>;
  return ["verb", "group", "resource", "namespace", "controller", "request"]
    .every((field) => typeof access[field] === "string") &&
    (access.name === undefined || typeof access.name === "string");
}
