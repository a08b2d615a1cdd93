/**
 * Time, randomness, the host, abortable waiting, back-off, the token bucket, and logging to
 * standard error: the ground of every other module, without Kubernetes. Time and randomness are
 * parameters everywhere, so that a test can replace them.
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
