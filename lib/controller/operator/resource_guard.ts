import { getLogger } from "@logtape/logtape";
import type { Clock } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { RestCalls } from "../../client/calls/rest.ts";
import type { Operator } from "../definition/operator_definition.ts";
import { checkResources, type UncheckedResource } from "./resource_check.ts";

/**
 * Options of the class {@linkcode ResourceGuard}, which compares the resources of an operator with
 * discovery.
 */
export interface ResourceGuardOptions {
  /** The operator whose resources are compared with discovery. */
  readonly operator: Pick<Operator, "name" | "controllers">;
  /** The client that sends the discovery requests. */
  readonly client: Pick<RestCalls, "requestJson">;
  /** The clock for the timeout of discovery requests. */
  readonly clock: Clock;
}

/**
 * A check that compares an operator's resources with discovery: once at the operator's start, so
 * that a mistake is reported at once, and again, for resources that could not be compared at the
 * start, after the caches have synced and before anything is reconciled.
 */
export class ResourceGuard {
  readonly #options: ResourceGuardOptions;
  #first: Promise<readonly UncheckedResource[]> | undefined;
  #second: Promise<void> | undefined;

  constructor(options: ResourceGuardOptions) {
    this.#options = options;
  }

  /**
   * Compares the resources of all sources of the operator's controllers with discovery.
   *
   * @throws {ResourceMismatchError} When the server serves a resource differently.
   * @throws {unknown} The reason of the signal.
   */
  async begin(signal: AbortSignal): Promise<void> {
    const types = this.#options.operator.controllers
      .flatMap(({ sources }) => sources.map(({ type }) => type));
    const byShape = new Map(types.map((type) => [JSON.stringify(type), type]));
    await (this.#first = this.#check([...byShape.values()], signal));
  }

  /**
   * Compares the operator's resources that could not be compared at the start with discovery again;
   * all callers share one comparison. Logs a warning when resources still cannot be compared.
   * Rejects with the errors of {@linkcode ResourceGuard.begin}.
   */
  verify(signal: AbortSignal): Promise<void> {
    return this.#second ??= this.#verify(signal);
  }

  async #verify(signal: AbortSignal): Promise<void> {
    const before = await this.#first ?? [];
    if (before.length === 0) return;
    const left = await this.#check(before.map(({ type }) => type), signal);
    if (left.length === 0) return;
    getLogger(["xca", "controller"]).warn(
      "Operator {operator} cannot tell whether kind and scope of {types} are right: {reason}; allow " +
        "its user discovery, as the cluster role system:discovery does",
      {
        operator: this.#options.operator.name,
        types: left.map(({ type }) => type.id).join(", "),
        reason: left[0]!.message,
      },
    );
  }

  #check(types: readonly ResourceType[], signal: AbortSignal): Promise<UncheckedResource[]> {
    const { client, clock } = this.#options;
    return checkResources(client, types, { signal, clock });
  }
}
