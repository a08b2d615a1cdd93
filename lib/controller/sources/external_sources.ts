import type { Logger } from "@logtape/logtape";
import { Backoff, type Clock, delay, errorText, type Random } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import { type ObjectKey, parseKeyOf } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ExternalSourceDefinition } from "../definition/external_source.ts";
import type { FailingKey } from "../ports/operator_progress.ts";

/**
 * The delay of an external source's call after its first failure, in milliseconds, without jitter.
 * Also the time that a call after a failure has to last before the source counts as running again.
 */
const FIRST_DELAY_MS = 1_000;
/**
 * The maximum delay of an external source's call after a failure, in milliseconds, without jitter.
 */
const MAX_DELAY_MS = 30_000;

/**
 * The number of failures in a row after which an external source counts as failed, and `settled` no
 * longer waits for its next call: reached after a few seconds. The limit for keys, five, would take
 * half a minute.
 */
const MAX_FAILURES = 3;
/**
 * The number of microtask turns after its call within which a source that throws at once, or whose
 * first step rejects, has failed.
 */
const FIRST_STEPS = 12;

/**
 * Options of the class {@linkcode ExternalSources}, which runs the external sources of a
 * controller.
 */
export interface ExternalSourcesOptions {
  /** The controller whose external sources run. */
  readonly definition: ControllerDefinition;
  /** Queues a key of the controller that was checked before. */
  readonly enqueue: (key: ObjectKey) => void;
  /**
   * Called when the state of a source has changed, and so perhaps the result of {@linkcode
   * ExternalSources.settled}.
   */
  readonly onChange: () => void;
  /** The cache of the controller. */
  readonly cache: CacheReader;
  /**
   * The time that the external sources have to end after the abort of the signal, in milliseconds.
   */
  readonly abortGraceMs: number;
  /** The log of failing external sources. */
  readonly log: Logger;
  /** The clock of the external sources. */
  readonly clock: Clock;
  /** The random number source of the external sources. */
  readonly random: Random;
}

/** An external source of a controller, with its state. */
interface Source extends ExternalSourceDefinition {
  /**
   * The state of the source: `starting` before its first call and at the beginning of each call,
   * `running` once a call goes on, `waiting` between a failure and the next call, `ended` after a
   * call that returned.
   */
  state: "starting" | "running" | "waiting" | "ended";
  /**
   * The failure of the last call that failed; `undefined` before the first failure, and once a
   * later call has gone on for a second or returned.
   */
  failure: { readonly error: string; readonly attempts: number; retryAtMs: number } | undefined;
}

/** The external sources of one controller: calls each, and again after each failure. */
export class ExternalSources {
  readonly #options: ExternalSourcesOptions;
  readonly #sources: readonly Source[];

  constructor(options: ExternalSourcesOptions) {
    this.#options = options;
    const { externalSources = [] } = options.definition;
    this.#sources = externalSources.map((each) => ({
      ...each,
      state: "starting",
      failure: undefined,
    }));
  }

  /**
   * Reports whether each external source has been called, and none that failed fewer than three
   * times in a row awaits its next call, or has just begun it.
   */
  get settled(): boolean {
    return this.#sources.every(({ state, failure }) =>
      failure ? failure.attempts >= MAX_FAILURES : state !== "starting"
    );
  }

  /**
   * Returns the failures of the external sources whose last call failed, until a later call has
   * lasted for a second or returned.
   */
  failing(): FailingKey[] {
    const { definition: { name: controller }, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    return this.#sources.flatMap(({ name, state, failure }) => {
      if (!failure) return [];
      const { error, attempts, retryAtMs } = failure;
      return {
        controller,
        key: `external source ${name}`,
        externalSource: name,
        error,
        attempts,
        nextTryInMs: state === "waiting" ? Math.max(0, retryAtMs - nowMs) : 0,
      };
    });
  }

  /**
   * Runs the external sources, and resolves when all of them have ended; after the abort of the
   * signal it waits for the sources for `abortGraceMs` at most. Never rejects: a source that throws
   * is logged and called again after a pause.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#sources.map((source) => this.#run(source, signal)));
  }

  /**
   * Calls one external source, and again after each failure, until it returns or the signal is
   * aborted.
   */
  async #run(source: Source, signal: AbortSignal): Promise<void> {
    const { definition: { type }, cache, clock, random } = this.#options;
    const log = this.#options.log.with({ source: source.name });
    const enqueue = (key: ObjectKey): void => {
      parseKeyOf(type, key);
      if (!signal.aborted) this.#options.enqueue(key);
    };
    const backoff = new Backoff({ initialMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, clock, random });
    const context = Object.freeze({ enqueue, cache, signal, log, clock, random });
    while (!signal.aborted) {
      try {
        using _ = this.#called(source);
        await this.#endOf(Promise.try(source.run, context), signal, log);
        this.#set(source, "ended", undefined);
        return log.debug("External source {source} has ended");
      } catch (error) {
        if (signal.aborted) return;
        const inMs = Math.round(backoff.nextMs());
        const text = attempt(() => errorText(error)) ?? "an error without a text";
        log.error("External source {source} failed, and starts again in {inMs} ms: {error}", {
          inMs,
          error: text,
        });
        const attempts = (source.failure?.attempts ?? 0) + 1;
        const retryAtMs = clock.monotonicMs() + inMs;
        this.#set(source, "waiting", { error: text, attempts, retryAtMs });
        await delay(inMs, { signal, clock }).catch(() => {});
      }
    }
  }

  /**
   * Notes that a source is called, until the result is disposed at the end of the call: the source
   * runs once the call has taken its first steps, or, after a failure, goes on for a second.
   */
  #called(source: Source): Disposable {
    source.state = "starting";
    let isOver = false;
    const goesOn = (): void => {
      if (!isOver) this.#set(source, "running", undefined);
    };
    if (!source.failure) void afterFirstSteps().then(goesOn);
    const timer = source.failure && this.#options.clock.after(FIRST_DELAY_MS, goesOn).unref();
    return {
      [Symbol.dispose]: () => {
        isOver = true;
        timer?.[Symbol.dispose]();
      },
    };
  }

  #set(source: Source, state: Source["state"], failure: Source["failure"]): void {
    source.state = state;
    source.failure = failure;
    this.#options.onChange();
  }

  /**
   * Resolves when the call of an external source has resolved, or, with a logged warning, when its
   * grace period after the abort is over; rejects with the error of the source.
   */
  async #endOf(running: Promise<void>, signal: AbortSignal, log: Logger): Promise<void> {
    const { abortGraceMs, clock } = this.#options;
    using stack = new DisposableStack();
    const overdue = new Promise<void>((resolve) => {
      const onAbort = (): void => {
        stack.use(clock.after(abortGraceMs, () => {
          log.warn("External source {source} ignores its aborted signal, and is abandoned");
          resolve();
        }));
      };
      if (signal.aborted) onAbort(); // The source may stop the operator in its first step.
      signal.addEventListener("abort", onAbort, { once: true });
      stack.defer(() => signal.removeEventListener("abort", onAbort));
    });
    await Promise.race([running, overdue]);
  }
}

/** Resolves after {@linkcode FIRST_STEPS} microtask turns. */
async function afterFirstSteps(): Promise<void> {
  for (let step = 0; step < FIRST_STEPS; step++) await undefined;
}
