/**
 * Queues of keys that need work: a key is queued once and processed by one worker at a time, has a
 * priority, may be added later, and is retried with a back-off. Independent of Kubernetes.
 *
 * {@linkcode Queue} has `add`; {@linkcode DelayingQueue} wraps a {@linkcode Queue} and has
 * `addAfter`; {@linkcode RateLimitingQueue} wraps a {@linkcode DelayingQueue} and has
 * `addRateLimited`.
 *
 * @module
 */
export { BucketLimiter } from "./limiters/bucket_limiter.ts";
export {
  defaultRateLimiter,
  type DefaultRateLimiterOptions,
} from "./limiters/default_rate_limiter.ts";
export { DelayingQueue, type DelayingQueueOptions } from "./delaying_queue.ts";
export { FastSlowLimiter, type FastSlowLimiterOptions } from "./limiters/fast_slow_limiter.ts";
export {
  ItemExponentialLimiter,
  type ItemExponentialLimiterOptions,
} from "./limiters/item_exponential_limiter.ts";
export type { KeyLease } from "./key_lease.ts";
export { MaxOfLimiter } from "./limiters/max_of_limiter.ts";
export { MaxWaitLimiter } from "./limiters/max_wait_limiter.ts";
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricsProvider,
  SettableGaugeMetric,
} from "./metrics.ts";
export { Queue, type QueueOptions } from "./queue.ts";
export type { RateLimiter, ReleasedKey } from "./limiters/rate_limiter.ts";
export { RecoveringLimiter, type RecoveringLimiterOptions } from "./limiters/recovering_limiter.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate_limiting_queue.ts";
export type {
  AddOptions,
  DelayingWorkQueue,
  QueuedKey,
  QueueGetOptions,
  WorkQueue,
} from "./work_queue.ts";
