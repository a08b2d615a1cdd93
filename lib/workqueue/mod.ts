/**
 * Queues of keys that need work: each key in line once and with one worker at a time, adds that
 * come later, and retries that back off. Knows nothing of Kubernetes.
 *
 * {@linkcode Queue} knows `add`; {@linkcode DelayingQueue} holds one and knows `addAfter`;
 * {@linkcode RateLimitingQueue} holds one of those and knows `addRateLimited`.
 *
 * @module
 */
export { BucketLimiter } from "./bucket_limiter.ts";
export { defaultRateLimiter, type DefaultRateLimiterOptions } from "./default_rate_limiter.ts";
export { DelayingQueue, type DelayingQueueOptions } from "./delaying_queue.ts";
export { FastSlowLimiter, type FastSlowLimiterOptions } from "./fast_slow_limiter.ts";
export {
  ItemExponentialLimiter,
  type ItemExponentialLimiterOptions,
} from "./item_exponential_limiter.ts";
export type { KeyLease } from "./key_lease.ts";
export { MaxOfLimiter } from "./max_of_limiter.ts";
export { MaxWaitLimiter } from "./max_wait_limiter.ts";
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricsProvider,
  SettableGaugeMetric,
} from "./metrics.ts";
export { Queue, type QueueOptions } from "./queue.ts";
export type { RateLimiter, ReleasedKey } from "./rate_limiter.ts";
export { RecoveringLimiter, type RecoveringLimiterOptions } from "./recovering_limiter.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate_limiting_queue.ts";
export type { DelayingWorkQueue, QueueGetOptions, WorkQueue } from "./work_queue.ts";
