import { checkOptionNames, markClass, type OptionNames } from "@xca/apimachinery/internal/base";
import { type Clock, errorText, linkedAbort, systemClock } from "@xca/apimachinery/base";
import type { ResourceType, Scope } from "@xca/apimachinery/meta";
import { isNotFound } from "../../client/errors/api_error.ts";
import type { RestCalls } from "../../client/calls/rest.ts";

/**
 * The timeout of each discovery request, in milliseconds. The requests are sent at the same time,
 * so that it limits the delay of the operator's start.
 */
const TIMEOUT_MS = 10_000;

/**
 * The error of a resource whose kind, scope or plural in the program differs from the server's.
 * Without this error, informers of the resource would silently stay empty or cache other objects.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ResourceMismatchError } from "@xca/operator/controller";
 *
 * const isMistake = (error: unknown) => error instanceof ResourceMismatchError;
 * assert(isMistake(new ResourceMismatchError("pods.v1", "the server serves it as kind Pod, not pod")));
 * ```
 */
export class ResourceMismatchError extends Error {
  /** The name of this error class, `ResourceMismatchError`. */
  override readonly name = "ResourceMismatchError";
  /** The id of the resource that differs, such as `pods.v1`. */
  readonly type: string;

  /** Creates the error about a resource type that differs from the server's discovery. */
  constructor(type: string, difference: string) {
    super(
      `Cannot use resource ${type}: ${difference}; correct what resourceType() was given, or the ` +
        `CustomResourceDefinition`,
    );
    this.type = type;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/ResourceMismatchError"));
  }
}

/**
 * A resource that could not be compared with discovery, in the result of {@linkcode
 * checkResources}.
 */
export interface UncheckedResource {
  /** The resource that could not be compared. */
  readonly type: ResourceType;
  /**
   * The reason why a resource could not be compared: `missing` when the server does not serve the
   * resource yet, `unanswered` when discovery failed, was forbidden or timed out.
   */
  readonly reason: "missing" | "unanswered";
  /** The reason why a resource could not be compared, as a sentence. */
  readonly message: string;
}

/**
 * Options of {@linkcode checkResources}, which compares the resources of an operator with those
 * that the server serves.
 */
export interface CheckResourcesOptions {
  /** The signal that aborts the discovery requests. */
  readonly signal?: AbortSignal | undefined;
  /** The clock for the timeout of discovery requests. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** The names of all options of {@linkcode checkResources}. */
const CHECK_OPTIONS: OptionNames<CheckResourcesOptions> = {
  signal: true,
  clock: true,
};

interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Compares resources with the server's discovery: plural, kind and scope. Sends one request per
 * group and version, without retries and with a timeout of ten seconds.
 *
 * Resolves to the resources that could not be compared, because the server does not serve them yet
 * or discovery failed or is forbidden; empty if all match.
 *
 * @throws {ResourceMismatchError} When the server serves a resource differently.
 * @throws {TypeError} When an option is unknown.
 * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkResources, ResourceMismatchError } from "@xca/operator/controller";
 * import { resourceType } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const pods = resourceType({ group: "", version: "v1", kind: "pod", plural: "pods" });
 * await assert.rejects(checkResources(client, [pods]), ResourceMismatchError);
 * ```
 */
export async function checkResources(
  client: Pick<RestCalls, "requestJson">,
  types: readonly ResourceType[],
  options: CheckResourcesOptions = {},
): Promise<UncheckedResource[]> {
  checkOptionNames("Cannot check resources", options, CHECK_OPTIONS);
  const byVersion = Map.groupBy(types, ({ apiVersion }) => apiVersion);
  const unchecked = await Promise.all(
    [...byVersion.values()].map((ofVersion) => checkVersion(client, ofVersion, options)),
  );
  return unchecked.flat();
}

async function checkVersion(
  client: Pick<RestCalls, "requestJson">,
  types: readonly ResourceType[],
  { signal, clock = systemClock }: CheckResourcesOptions,
): Promise<UncheckedResource[]> {
  const { group, version, apiVersion } = types[0]!;
  const uncheck = (reason: UncheckedResource["reason"], message: string): UncheckedResource[] =>
    types.map((type) => ({ type, reason, message }));
  using limit = linkedAbort({
    signals: [signal],
    timeoutMs: TIMEOUT_MS,
    timeoutReason: () => new Error(`no answer within ${TIMEOUT_MS / 1000} s`),
    clock,
  });
  let served: readonly ServedResource[];
  try {
    const list = await client.requestJson<{ readonly resources?: readonly ServedResource[] }>({
      path: group === "" ? `/api/${version}` : `/apis/${apiVersion}`,
      signal: limit.signal,
      retry: false,
    });
    if (!Array.isArray(list?.resources)) throw new Error("the answer is not a list of resources");
    served = list.resources;
  } catch (error) {
    signal?.throwIfAborted();
    if (isNotFound(error)) return uncheck("missing", `the server does not serve ${apiVersion}`);
    return uncheck("unanswered", errorText(error));
  }
  return types.flatMap((type) => {
    if (isServed(type, served)) return [];
    const message = `the server does not serve ${type.plural} in ${apiVersion}`;
    return [{ type, reason: "missing" as const, message }];
  });
}

/**
 * Reports whether a resource is among those that the server serves.
 *
 * @throws {ResourceMismatchError} When the resource is served with another kind or scope, or its
 * kind with another plural.
 */
function isServed(type: ResourceType, served: readonly ServedResource[]): boolean {
  const found = served.find(({ name }) => name === type.plural);
  if (found) {
    const scope: Scope = found.namespaced ? "Namespaced" : "Cluster";
    const differences = [
      ...(found.kind === type.kind ? [] : [`kind ${found.kind}, not ${type.kind}`]),
      ...(scope === type.scope ? [] : [`scope ${scope}, not ${type.scope}`]),
    ];
    if (differences.length === 0) return true;
    throw new ResourceMismatchError(
      type.id,
      `the server serves it with ${differences.join(", and ")}`,
    );
  }
  const sameKind = served.find(({ name, kind }) => kind === type.kind && !name.includes("/"));
  if (sameKind === undefined) return false;
  throw new ResourceMismatchError(
    type.id,
    `the server serves kind ${type.kind} with plural ${sameKind.name}, not ${type.plural}`,
  );
}
