import type { CallWebhook } from "./machinery/call_webhook.ts";
import type { Journal } from "./storage/journal.ts";

/**
 * Returns a webhook caller that delays each call until every write so far is on disk, since the
 * call may disclose such a write, and that rejects with a `DataFileError` after the disk failed.
 * Without a journal, returns the given caller.
 */
export function callWhenKept(journal: Journal | undefined, call: CallWebhook): CallWebhook {
  if (!journal) return call;
  return async (request) => {
    await journal.durable();
    return await call(request);
  };
}
