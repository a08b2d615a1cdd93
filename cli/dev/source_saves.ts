import { relative } from "node:path";
import { type Clock, delay } from "@xca/apimachinery/base";

/**
 * The time without a change to a further source file after which a batch of saves is complete, in
 * milliseconds.
 */
export const QUIET_MS = 100;

/**
 * A regular expression that matches paths in folders without sources of an operator, such as
 * `node_modules`, and hidden files and folders.
 */
const FOREIGN = /(^|\/)(\.[^/]*|node_modules|dist|manifests|vendor)(\/|$)/;

/** Options of {@linkcode sourceSaves}, which watches the saved files of a project. */
export interface SourceSavesOptions {
  /** The absolute path of the project's folder, in which saves are watched. */
  readonly folder: string;
  /** The clock of the quiet period after a save. */
  readonly clock: Clock;
  /** The signal that ends the watching of saves. */
  readonly signal: AbortSignal;
}

/**
 * Yields the changed sources of a project in batches, as paths relative to the project's folder. An
 * editor that writes several files at once, or one file in several steps, causes one batch. Tests
 * and files that are not sources do not count. Ends when the signal is aborted or `changes` ends;
 * an error of `changes` is thrown.
 *
 * @param changes The changed paths as the file system reports them.
 */
export async function* sourceSaves(
  changes: AsyncIterable<readonly string[]>,
  { folder, clock, signal }: SourceSavesOptions,
): AsyncGenerator<readonly string[]> {
  const saved = new Set<string>();
  let wake = Promise.withResolvers<void>();
  const over = new AbortController();
  const end = (): void => {
    over.abort();
    wake.resolve();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  const collecting = (async () => {
    for await (const paths of changes) {
      for (const path of paths.map((each) => relative(folder, each))) {
        if (isSource(path)) saved.add(path);
      }
      if (saved.size > 0) wake.resolve();
    }
  })().finally(end);
  collecting.catch(() => {}); // Its failure is thrown below, where the loop ends.
  try {
    while (true) {
      await wake.promise;
      if (over.signal.aborted) break;
      wake = Promise.withResolvers();
      let count: number;
      do {
        count = saved.size;
        await delay(QUIET_MS, { clock, signal: over.signal }).catch(() => {});
      } while (saved.size !== count && !over.signal.aborted);
      if (over.signal.aborted) break;
      if (saved.size === 0) continue;
      const batch = [...saved].sort();
      saved.clear();
      yield batch;
    }
    if (!signal.aborted) await collecting;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/**
 * Reports whether a file of a project, by its path from the project's folder, can be a source of
 * the operator: code or JSON outside of {@linkcode FOREIGN} folders, and no test.
 */
function isSource(path: string): boolean {
  return /\.(m?[tj]sx?|jsonc?)$/.test(path) && !/_test\.[^.]+$/.test(path) && !FOREIGN.test(path) &&
    path !== "deno.lock";
}
