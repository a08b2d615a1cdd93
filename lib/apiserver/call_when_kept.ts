import type { CallWebhook } from "./machinery/call_webhook.ts";
import type { Journal } from "./storage/journal.ts";

/**
 * Returns a webhook caller that delays each call until everything that the call discloses is on
 * disk, such as the object before an update. Without a journal, returns the given caller.
 */
export function callWhenKept(journal: Journal | undefined, call: CallWebhook): CallWebhook {
  if (!journal) return call;
  return async (request) => {
    await journal.durable();
    return await call(request);
  };
}
