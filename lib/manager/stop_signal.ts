/** The signals by which a terminal and a kubelet ask a process to end. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Returns an abort signal that the first SIGINT or SIGTERM of the process aborts, for
 * {@linkcode Manager.run}. A second SIGINT or SIGTERM ends the process at once, even if work still
 * runs.
 *
 * Call this function once, before the manager runs; each call listens to the signals of the
 * process. On Windows it listens to SIGINT only. For the first process of a container the kernel
 * drops the second signal; a kubelet ends it by SIGKILL after the grace period of the pod. The
 * counterpart of `SetupSignalHandler` in controller-runtime's `pkg/manager/signals`.
 *
 * @example
 * ```ts
 * import { setTimeout } from "node:timers/promises";
 * import { stopSignal } from "@xca/operator/manager";
 *
 * const signal = stopSignal(); // await manager.run({ signal })
 * Deno.kill(Deno.pid, "SIGTERM"); // as a kubelet does
 * while (!signal.aborted) await setTimeout(1);
 * ```
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const names = Deno.build.os === "windows" ? ["SIGINT"] as const : STOP_SIGNALS;
  const listeners = names.map((name) => {
    const listener = (): void => {
      // Without a listener, the next signal has its default effect.
      for (const [each, other] of listeners) Deno.removeSignalListener(each, other);
      stop.abort(new DOMException(`The process received ${name}`, "AbortError"));
    };
    return [name, listener] as const;
  });
  for (const [name, listener] of listeners) Deno.addSignalListener(name, listener);
  return stop.signal;
}
