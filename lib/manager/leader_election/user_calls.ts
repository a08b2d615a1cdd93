import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import type { Term } from "./leader_elector_options.ts";

const logger = getLogger(["xca", "manager", "leader-election"]);

/** Calls the user's function `lead`; a synchronous throw becomes a rejection. */
export async function callLead(lead: (term: Term) => Promise<void>, term: Term): Promise<void> {
  await lead(term);
}

/**
 * Calls the user's function `onNewLeader`; a failure, synchronous or not, is logged and has no
 * other effect.
 */
export function callBack(call: () => unknown): void {
  const failed = (error: unknown): void =>
    logger.error("onNewLeader failed: {error}", { error: errorText(error) });
  try {
    Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}
