// Mirrors `storage/cacher/watch_cache.go, watchCache.waitUntilFreshLocked`.
import type { Clock } from "@xca/apimachinery/base";
import type { RevisionLog } from "../../storage/revision_log.ts";

/**
 * The time in milliseconds that kube-apiserver waits for its watch cache to reach a requested
 * revision.
 */
const WAIT_MS = 3000;

/**
 * Waits until the storage reaches the revision that a read requests, for three seconds at most, or
 * until `signal` aborts. A client may have read the revision from another server. The promise
 * resolves in each case.
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
