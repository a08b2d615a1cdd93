import type { RestCalls } from "../../client/calls/rest.ts";
import type { ResourceUse } from "../../controller/definition/resource_use.ts";
import type { AccessNeed } from "../../rbac/access_need.ts";
import { needsOf } from "../../rbac/rules_of.ts";
import { RunnableError } from "../runnable_error.ts";
import { checkRights } from "./right_check.ts";

/**
 * Rejects when the user of a client lacks a permission that a component of a manager needs; see
 * {@linkcode checkRights}.
 *
 * @throws {RunnableError} When a permission is missing or the server cannot be reached; the error
 * names the component.
 * @throws {unknown} The reason of `signal`.
 */
export async function checkPart(
  name: string,
  needs: readonly AccessNeed[],
  client: RestCalls,
  signal: AbortSignal,
): Promise<void> {
  await checkRights(client, needs, signal).catch((error) => {
    throw signal.aborted ? error : new RunnableError(name, "set up", error);
  });
}

/**
 * Rejects when the user of a client lacks a permission for the calls that a runnable declares; see
 * {@linkcode checkRights}.
 *
 * @throws {RunnableError} When a permission is missing or the server cannot be reached; the error
 * names the runnable.
 * @throws {unknown} The reason of `signal`.
 */
export async function checkUses(
  { name, uses }: { readonly name: string; readonly uses: readonly ResourceUse[] },
  client: RestCalls,
  signal: AbortSignal,
): Promise<void> {
  if (uses.length === 0) return;
  const needs = needsOf([], { uses }).filter(({ part }) => part === "setup");
  await checkPart(name, needs, client, signal);
}
