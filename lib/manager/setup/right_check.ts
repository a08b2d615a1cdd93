import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import type { RestCalls } from "../../client/calls/rest.ts";
import { reviewOwnAccess } from "../../client/subresources/access_review.ts";
import { type MissingRight, MissingRightError } from "./missing_right_error.ts";

const logger = getLogger(["xca", "manager"]);

/**
 * Asks the server whether the user of a client has rights, as `kubectl auth can-i` does. A server that
 * does not answer the question is no reason to fail.
 *
 * @throws {MissingRightError} When rights are missing.
 * @throws {unknown} The reason of `signal`.
 */
export async function checkRights(
  client: RestCalls,
  rights: readonly MissingRight[],
  signal: AbortSignal,
): Promise<void> {
  const missing = await Promise.all(rights.map(async (right) => {
    const verbs = await Promise.all(
      right.verbs.map(async (verb) => await isAllowed(client, right, verb, signal) ? [] : [verb]),
    );
    return { ...right, verbs: verbs.flat() };
  }));
  const lacking = missing.filter(({ verbs }) => verbs.length > 0);
  if (lacking.length > 0) throw new MissingRightError(lacking);
}

async function isAllowed(
  client: RestCalls,
  { type: { group, plural }, namespace }: MissingRight,
  verb: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { allowed } = await reviewOwnAccess(client, {
      verb,
      type: { group, plural, version: "*" },
      ...(namespace !== "" && { namespace }),
    }, { signal, timeoutMs: TIMEOUT_MS });
    return allowed;
  } catch (error) {
    signal.throwIfAborted();
    logger.debug("The server does not say whether {verb} of {resource} is allowed: {error}", {
      verb,
      resource: plural,
      error: errorText(error),
    });
    return true;
  }
}

/** The time that the server has for one answer, in milliseconds. */
const TIMEOUT_MS = 10_000;
