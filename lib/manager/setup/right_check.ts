import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import type { RestCalls } from "../../client/calls/rest.ts";
import { UnreachableError } from "../../client/errors/unreachable_error.ts";
import { reviewOwnAccess } from "../../client/subresources/access_review.ts";
import { type AccessNeed, leastNeeds } from "../../rbac/access_need.ts";
import { type MissingRight, MissingRightError } from "./missing_right_error.ts";

const logger = getLogger(["xca", "manager"]);

/**
 * Asks the server, as `kubectl auth can-i` does, whether the user of a client has the permissions
 * that a program needs, and rejects when one is missing. A permission about which the server gives
 * no answer counts as granted. Permissions that only an admission plugin requires are not checked.
 *
 * @throws {MissingRightError} When permissions are missing.
 * @throws {UnreachableError} When the server cannot be reached, for a reason that does not pass by
 * itself.
 * @throws {unknown} The reason of `signal`.
 */
export async function checkRights(
  client: RestCalls,
  needs: readonly AccessNeed[],
  signal: AbortSignal,
): Promise<void> {
  const asked = leastNeeds(needs.filter(({ onlyEnforced }) => !onlyEnforced));
  const allowed = await Promise.all(asked.map((need) => isAllowed(client, need, signal)));
  const missing = rightsOf(asked.filter((_, at) => !allowed[at]));
  if (missing.length > 0) throw new MissingRightError(missing);
}

/** Returns needed permissions as rights; several verbs on the same objects become one right. */
function rightsOf(needs: readonly AccessNeed[]): MissingRight[] {
  const groups = Map.groupBy(
    needs,
    ({ group, resource, namespace, name }) => JSON.stringify([group, resource, namespace, name]),
  );
  return [...groups.values()].map((same) => {
    const { group, resource, namespace, name } = same[0]!;
    const { plural, subresource } = splitResource(resource);
    return {
      verbs: same.map(({ verb }) => verb),
      type: { group, plural },
      ...(subresource !== undefined && { subresource }),
      namespace,
      ...(name !== undefined && { name }),
    };
  });
}

function splitResource(
  resource: string,
): { readonly plural: string; readonly subresource?: string } {
  const at = resource.indexOf("/");
  return at < 0
    ? { plural: resource }
    : { plural: resource.slice(0, at), subresource: resource.slice(at + 1) };
}

async function isAllowed(
  client: RestCalls,
  { verb, group, resource, namespace, name }: AccessNeed,
  signal: AbortSignal,
): Promise<boolean> {
  const { plural, subresource } = splitResource(resource);
  try {
    const { allowed } = await reviewOwnAccess(client, {
      verb,
      type: { group, plural, version: "*" },
      subresource,
      ...(namespace !== "" && { namespace }),
      name,
    }, { signal, timeoutMs: TIMEOUT_MS });
    return allowed;
  } catch (error) {
    signal.throwIfAborted();
    // A failure that no retry can fix, such as a denied permission of the runtime, is reported.
    if (error instanceof UnreachableError && error.neverSent && !error.mayPass) throw error;
    logger.debug("The server does not say whether {verb} of {resource} is allowed: {error}", {
      verb,
      resource,
      error: errorText(error),
    });
    return true;
  }
}

/**
 * The timeout of one permission check of the server, in milliseconds; then the permission counts as
 * granted.
 */
const TIMEOUT_MS = 10_000;
