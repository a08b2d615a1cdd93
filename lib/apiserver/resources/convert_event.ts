import type { ApiObject } from "../machinery/api_object.ts";

const EVENTS_VERSION = "events.k8s.io/v1";

/** Fields of a core Event, and their names in `events.k8s.io`. */
const RENAMED: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

/** What each version writes though it is empty. */
const ALWAYS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: "",
    reportingInstance: "",
  },
  [EVENTS_VERSION]: {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
};

/** Converts an Event between the core group and `events.k8s.io`: the same facts by other names. */
export function convertEvent(object: ApiObject, toApiVersion: string): ApiObject {
  if (object.apiVersion === toApiVersion) return object;
  const toEvents = toApiVersion === EVENTS_VERSION;
  const names = new Map(
    RENAMED.map(([core, events]) => toEvents ? [core, events] : [events, core]),
  );
  const { apiVersion: _1, kind: _2, metadata, ...rest } = object;
  const converted: Record<string, unknown> = structuredClone({ ...ALWAYS[toApiVersion] });
  for (const [name, value] of Object.entries(rest)) {
    if (toEvents && value === "" && name.startsWith("reporting")) continue;
    converted[names.get(name) ?? name] = value;
  }
  return { kind: "Event", apiVersion: toApiVersion, metadata, ...converted };
}
