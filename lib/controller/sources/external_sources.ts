import type { Logger } from "@logtape/logtape";
import { Backoff, type Clock, delay, errorText, type Random } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import { type ObjectKey, parseKeyOf } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ExternalSourceDefinition } from "../definition/external_source.ts";

/**
 * The delay of an external source's call after its first failure, in milliseconds, without jitter.
 */
const FIRST_DELAY_MS = 1_000;
/**
 * The maximum delay of an external source's call after a failure, in milliseconds, without jitter.
 */
const MAX_DELAY_MS = 30_000;

/** Options of {@linkcode runExternalSources}, which runs the external sources of a controller. */
export interface ExternalSourcesOptions {
  /** Queues a valid key of the controller. */
  readonly enqueue: (key: ObjectKey) => void;
  /** The cache of the controller. */
  readonly cache: CacheReader;
  /** The signal that ends the external sources. */
  readonly signal: AbortSignal;
  /** The time that the external sources have to end after the abort, in milliseconds. */
  readonly abortGraceMs: number;
  /** The log of failing external sources. */
  readonly log: Logger;
  /** The clock of the external sources. */
  readonly clock: Clock;
  /** The random number source of the external sources. */
  readonly random: Random;
}

/**
 * Runs the external sources of a controller, and resolves when all of them have ended; after the
 * abort of the signal it waits for them for the grace period at most. Never rejects: a source that
 * throws is called again.
 */
export async function runExternalSources(
  definition: ControllerDefinition,
  options: ExternalSourcesOptions,
): Promise<void> {
  const { externalSources = [] } = definition;
  if (externalSources.length === 0) return;
  await Promise.all(externalSources.map((source) => runSource(definition, source, options)));
}

/** Runs one external source, again after each failure. */
async function runSource(
  { type }: ControllerDefinition,
  { name, run }: ExternalSourceDefinition,
  options: ExternalSourcesOptions,
): Promise<void> {
  const { cache, signal, clock, random } = options;
  const log = options.log.with({ source: name });
  const enqueue = (key: ObjectKey): void => {
    parseKeyOf(type, key);
    if (!signal.aborted) options.enqueue(key);
  };
  const backoff = new Backoff({ initialMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, clock, random });
  const context = Object.freeze({ enqueue, cache, signal, log, clock, random });
  while (!signal.aborted) {
    try {
      await endOf(Promise.try(run, context), options, log);
      return log.debug("External source {source} has ended");
    } catch (error) {
      if (signal.aborted) return;
      const inMs = Math.round(backoff.nextMs());
      log.error("External source {source} failed, and starts again in {inMs} ms: {error}", {
        inMs,
        error: attempt(() => errorText(error)) ?? "an error without a text",
      });
      await delay(inMs, { signal, clock }).catch(() => {});
    }
  }
}

/**
 * Resolves when an external source has ended, or when its grace period after the abort is over;
 * rejects with the error of the source.
 */
async function endOf(
  running: Promise<void>,
  { signal, abortGraceMs, clock }: ExternalSourcesOptions,
  log: Logger,
): Promise<void> {
  using stack = new DisposableStack();
  const overdue = new Promise<void>((resolve) => {
    const onAbort = (): void => {
      stack.use(clock.after(abortGraceMs, () => {
        log.warn("External source {source} ignores its aborted signal, and is abandoned");
        resolve();
      }));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    stack.defer(() => signal.removeEventListener("abort", onAbort));
  });
  await Promise.race([running, overdue]);
}
