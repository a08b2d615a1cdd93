import { type Clock, type LinkedAbort, linkedAbort } from "@xca/apimachinery/base";

/** The longest time that an answer is sent before the API server stops waiting, in milliseconds. */
const MARGIN_MS = 500;
/** The share of the time of a review that handlers have, where a tenth is less than the margin. */
const SHARE = 0.9;
/** The longest time that the API server waits for a webhook, in milliseconds. */
const MAX_MS = 30_000;

/**
 * Returns the signal of a review: aborted when the request is, and shortly before the API server stops
 * waiting, so that it gets an answer which names the webhook. The API server sends its patience as the
 * query `timeout`; without one, `defaultMs` counts.
 */
export function reviewDeadline(request: Request, defaultMs: number, clock: Clock): LinkedAbort {
  const asked = durationMs(new URL(request.url).searchParams.get("timeout") ?? "");
  const patienceMs = Math.min(asked ?? defaultMs, MAX_MS);
  const timeoutMs = Math.max(patienceMs - MARGIN_MS, patienceMs * SHARE);
  return linkedAbort({
    signals: [request.signal],
    timeoutMs,
    timeoutReason: () =>
      new DOMException(`it gave no answer within ${timeoutMs / 1_000} s`, "TimeoutError"),
    clock,
  });
}

/** The lengths of Go's units of time in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Returns a duration of Go, as `1m30s`, in milliseconds; `undefined` for none above zero. */
function durationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  return total > 0 ? total : undefined;
}
