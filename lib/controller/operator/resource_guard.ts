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
 * start, after the caches of a controller have synced and before it reconciles anything. A resource
 * that the server lacks until then is compared when its own controller is ready.
 */
export class ResourceGuard {
  readonly #options: ResourceGuardOptions;
  /** The resources that remain to be compared; rejects with the error of the last comparison. */
  #left: Promise<readonly UncheckedResource[]> = Promise.resolve([]);

  constructor(options: ResourceGuardOptions) {
    this.#options = options;
  }

  /**
   * Compares the resources of all sources of the operator's controllers with discovery; those that
   * cannot be compared are kept for {@linkcode ResourceGuard.verify}.
   *
   * @throws {ResourceMismatchError} When the server serves a resource differently.
   * @throws {unknown} The reason of the signal.
   */
  async begin(signal: AbortSignal): Promise<void> {
    const types = this.#options.operator.controllers
      .flatMap(({ sources }) => sources.map(({ type }) => type));
    const byShape = new Map(types.map((type) => [JSON.stringify(type), type]));
    await (this.#left = this.#check([...byShape.values()], signal));
  }

  /**
   * Compares the operator's resources that could not be compared before with discovery again, one
   * caller after the other. Logs a warning when discovery does not answer again; these resources
   * then count as compared. Resources that the server does not serve yet remain for the next call.
   * Rejects with the errors of {@linkcode ResourceGuard.begin}, also with that of an earlier call.
   */
  async verify(signal: AbortSignal): Promise<void> {
    await (this.#left = this.#left.then((left) => this.#verify(left, signal)));
  }

  async #verify(
    before: readonly UncheckedResource[],
    signal: AbortSignal,
  ): Promise<readonly UncheckedResource[]> {
    if (before.length === 0) return [];
    const left = await this.#check(before.map(({ type }) => type), signal);
    const unanswered = left.filter(({ reason }) => reason === "unanswered");
    if (unanswered.length > 0) {
      getLogger(["xca", "controller"]).warn(
        "Operator {operator} cannot tell whether kind and scope of {types} are right: {reason}; allow " +
          "its user discovery, as the cluster role system:discovery does",
        {
          operator: this.#options.operator.name,
          types: unanswered.map(({ type }) => type.id).join(", "),
          reason: unanswered[0]!.message,
        },
      );
    }
    return left.filter(({ reason }) => reason === "missing");
  }

  #check(types: readonly ResourceType[], signal: AbortSignal): Promise<UncheckedResource[]> {
    const { client, clock } = this.#options;
    return checkResources(client, types, { signal, clock });
  }
}
