/**
 * Time, randomness, the host, abortable waiting, back-off, the token bucket, and logging to
 * standard error: the base of all other modules, which knows nothing of Kubernetes. Time and
 * randomness are parameters everywhere, so that a test can replace them.
 *
 * @module
 */
export { type LinkedAbort, linkedAbort, type LinkedAbortOptions } from "./time/abort.ts";
export { Backoff, type BackoffOptions } from "./time/backoff.ts";
export { type Clock, MAX_TIMER_MS, systemClock, type Timer } from "./time/clock.ts";
export { delay, type DelayOptions } from "./time/delay.ts";
export { errorText } from "./errors/error_text.ts";
export { type Host, systemHost } from "./host.ts";
export { type LoggingOptions, startLogging } from "./errors/logging.ts";
export type { ProgramOptions, ProgramResult } from "./run_program.ts";
export { type Random, seededRandom, systemRandom } from "./time/random.ts";
export { TokenBucket, type TokenBucketOptions } from "./time/token_bucket.ts";
