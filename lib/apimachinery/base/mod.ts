/**
 * What every layer stands on and no Kubernetes word: time, chance, the host, abortable waiting,
 * back-off and the token bucket. All of it comes in as a parameter, so that a test can replace it. And
 * the log as lines.
 *
 * @module
 */
export { type LinkedAbort, linkedAbort, type LinkedAbortOptions } from "./abort.ts";
export { Backoff, type BackoffOptions } from "./backoff.ts";
export { type Clock, MAX_TIMER_MS, systemClock, type Timer } from "./clock.ts";
export { delay, type DelayOptions } from "./delay.ts";
export { errorText } from "./error_text.ts";
export { type Host, systemHost } from "./host.ts";
export { type LoggingOptions, startLogging } from "./logging.ts";
export type { ProgramOptions, ProgramResult } from "./run_program.ts";
export { type Random, seededRandom, systemRandom } from "./random.ts";
export { TokenBucket, type TokenBucketOptions } from "./token_bucket.ts";
