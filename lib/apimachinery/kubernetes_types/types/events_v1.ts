// Written by `deno task facts:dump`.
import type { V1EventSource } from "./core_v1.ts";
import type { V1ObjectReference } from "./core_v1_persistent_volumes.ts";
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `Event` of `events.k8s.io/v1`. */
export type EventsV1Event = {
  apiVersion?: "events.k8s.io/v1";
  kind?: "Event";
  metadata: V1ObjectMeta;
  /** The field `eventTime` of `Event`: an RFC 3339 time with microseconds. */
  eventTime: string;
  series?: EventsV1EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: V1ObjectReference;
  related?: V1ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: V1EventSource;
  /** The field `deprecatedFirstTimestamp` of `Event`: an RFC 3339 time in whole seconds. */
  deprecatedFirstTimestamp?: string;
  /** The field `deprecatedLastTimestamp` of `Event`: an RFC 3339 time in whole seconds. */
  deprecatedLastTimestamp?: string;
  deprecatedCount?: number;
};

/** The TypeScript type of the Kubernetes API type `EventSeries` of `events.k8s.io/v1`. */
export type EventsV1EventSeries = {
  count: number;
  /** The field `lastObservedTime` of `EventSeries`: an RFC 3339 time with microseconds. */
  lastObservedTime: string;
};
