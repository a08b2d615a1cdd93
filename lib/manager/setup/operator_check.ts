import type { Clock } from "@xca/apimachinery/base";
import type { Client } from "../../client/typed/client.ts";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import { checkResources } from "../../controller/operator/resource_check.ts";
import { needsOf } from "../../rbac/rules_of.ts";
import { checkRights } from "./right_check.ts";

/**
 * Options for {@linkcode checkOperator}, which checks, before an operator starts, that the operator
 * can run.
 */
export interface OperatorCheckOptions {
  /** The client of the operator to check. */
  readonly client: Client;
  /**
   * The namespaces of those sources and declared uses of the operator that name none.
   *
   * @default all
   */
  readonly namespaces?: readonly string[] | undefined;
  /** The signal that aborts the requests of the check. */
  readonly signal: AbortSignal;
  /** The clock of the operator check. */
  readonly clock: Clock;
}

/**
 * Rejects, before an operator starts, when the server serves a resource of its sources differently
 * from the operator's description, or the user of its client lacks a permission that its
 * controllers need. A resource that the server lacks is not an error, since the operator waits for
 * it.
 *
 * @throws {ResourceMismatchError} When the server serves a resource differently.
 * @throws {MissingRightError} When a right is missing.
 * @throws {UnreachableError} When the server cannot be reached, for a reason that does not pass by
 * itself.
 * @throws {unknown} The reason of `signal`.
 */
export async function checkOperator(
  { controllers }: Pick<Operator, "controllers">,
  { client, namespaces, signal, clock }: OperatorCheckOptions,
): Promise<void> {
  const sources = controllers.flatMap((controller) => controller.sources);
  const types = new Map(sources.map(({ type }) => [JSON.stringify(type), type]));
  await checkResources(client, [...types.values()], { signal, clock });
  await checkRights(client, needsOf({ controllers }, { namespaces }), signal);
}
