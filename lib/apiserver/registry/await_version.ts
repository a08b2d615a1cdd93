import type { Clock } from "@xca/apimachinery/base";
import type { RevisionLog } from "../storage/revision_log.ts";

/** How long the real server waits until its cache has a version. */
const WAIT_MS = 3000;

/**
 * Waits until a version that is asked for is there, as long as the real server does: another server may
 * have told of it.
 */
export async function awaitVersion(
  log: RevisionLog,
  revision: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (revision <= log.revision || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  using _timer = clock.after(WAIT_MS, () => resolve());
  using _subscription = log.subscribe(() => {
    if (revision <= log.revision) resolve();
  });
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
