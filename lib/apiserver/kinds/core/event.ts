import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsSubdomainProblems,
  invalidForEach,
  pathSegmentNameProblems,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { CoreV1Event, EventsV1Event } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { sameValue, validateImmutable } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const UNSET = "needs to be unset";

const REFERENCE_FIELDS = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
] as const;

/**
 * The strategy of Events of the core group, which sets defaults and validates writes
 * (registry/core/event, `Strategy`).
 */
export const eventStrategy: KindStrategy = typedStrategy<CoreV1Event>({
  defaults: fillStructs,
  validateCreate: (event) => validateShared(event, "reportingComponent"),
  validateUpdate: (event) => validateShared(event, "reportingComponent"),
  validateName: pathSegmentNameProblems,
  allowCreateOnUpdate: true,
  defaultPropagation: "Unsupported",
  metadataOfUpdate: "none",
  selectableFields: (event) => ({
    ...sharedFields(event, "involvedObject"),
    source: sourceOf(event),
  }),
  selectableFieldNames: [...sharedFieldNames("involvedObject"), "reportingComponent", "source"],
});

/**
 * The strategy of Events of the group `events.k8s.io`, which sets defaults and validates writes by
 * stricter rules than those of the core group. The Events are stored in the form of the core group,
 * which has other field names.
 */
export const newEventStrategy: KindStrategy = typedStrategy<EventsV1Event>({
  defaults: fillNewStructs,
  validateCreate(event, _context, _state, found) {
    const core = toCoreEvent(event);
    return [...validateShared(core, "reportingController"), ...found, ...validateNew(core)];
  },
  placesMetadataErrors: true,
  validateUpdate(event, old, _context, _state, found) {
    const core = toCoreEvent(event);
    return [
      ...validateShared(core, "reportingController"),
      ...found,
      ...validateChange(core, toCoreEvent(old)),
    ];
  },
  allowCreateOnUpdate: true,
  defaultPropagation: "Unsupported",
  metadataOfUpdate: "change",
  selectableFields(event) {
    const core = toCoreEvent(event);
    return {
      ...sharedFields(core, "regarding"),
      reportingController: core.reportingComponent ?? "",
    };
  },
  selectableFieldNames: [...sharedFieldNames("regarding"), "reportingController"],
  storedAs: {
    group: "",
    version: "v1",
    toStored: (event) => toCoreEvent(event as unknown as EventsV1Event) as unknown as ApiObject,
    fromStored: (event) => toNewEvent(event as unknown as CoreV1Event) as unknown as ApiObject,
  },
});

/**
 * Sets the absent fields of an Event that are structs, or that kube-apiserver's output never omits,
 * to empty values or `null`, in place.
 */
function fillStructs(event: CoreV1Event): void {
  event.involvedObject ??= {};
  event.source ??= {};
  event.reportingComponent ??= "";
  event.reportingInstance ??= "";
  const open: { firstTimestamp?: unknown; lastTimestamp?: unknown; eventTime?: unknown } = event;
  open.firstTimestamp ??= null;
  open.lastTimestamp ??= null;
  open.eventTime ??= null;
}

function fillNewStructs(event: EventsV1Event): void {
  event.regarding ??= {};
  event.deprecatedSource ??= {};
  const open: Record<string, unknown> = event as unknown as Record<string, unknown>;
  open.eventTime ??= null;
  open.deprecatedFirstTimestamp ??= null;
  open.deprecatedLastTimestamp ??= null;
}

/**
 * The fields of Events whose names differ between the core group and `events.k8s.io`, as pairs of
 * both names.
 */
const RENAMED: readonly (readonly [core: string, newer: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

function toCoreEvent(event: EventsV1Event): CoreV1Event {
  const core: Record<string, unknown> = { ...event, apiVersion: "v1" };
  for (const [coreName, newName] of RENAMED) {
    delete core[newName];
    const value = (event as unknown as Record<string, unknown>)[newName];
    if (value !== undefined) core[coreName] = value;
  }
  fillStructs(core as unknown as CoreV1Event);
  return core as unknown as CoreV1Event;
}

function toNewEvent(event: CoreV1Event): EventsV1Event {
  const newer: Record<string, unknown> = { ...event, apiVersion: "events.k8s.io/v1" };
  for (const [coreName, newName] of RENAMED) {
    delete newer[coreName];
    const value = (event as unknown as Record<string, unknown>)[coreName];
    if (value !== undefined && value !== "") newer[newName] = value;
  }
  if (newer.reportingInstance === "") delete newer.reportingInstance;
  fillNewStructs(newer as unknown as EventsV1Event);
  return newer as unknown as EventsV1Event;
}

/**
 * Validates an Event by the rules of both API groups of Events. The Event has the field names of
 * the core group; `reporter` is the name of the reporting controller's field in errors.
 */
function validateShared(event: CoreV1Event, reporter: string): FieldError[] {
  const errors = event.eventTime ? validateTimed(event, reporter) : validateUntimed(event);
  const namespace = event.metadata.namespace ?? "";
  return [
    ...errors,
    ...invalidForEach(FieldPath.of("namespace"), namespace, dnsSubdomainProblems(namespace)),
  ];
}

function namespaceMismatch({ involvedObject }: CoreV1Event): FieldError {
  const path = FieldPath.of("involvedObject", "namespace");
  return invalid(path, involvedObject.namespace ?? "", "does not match event.namespace");
}

/**
 * Validates an Event without `eventTime`: its namespace must be that of the involved object, or
 * `default` or empty if the involved object has no namespace.
 */
function validateUntimed(event: CoreV1Event): FieldError[] {
  const own = event.metadata.namespace ?? "";
  const about = event.involvedObject.namespace ?? "";
  const matches = about === "" ? own === "" || own === "default" : own === about;
  return matches ? [] : [namespaceMismatch(event)];
}

function validateTimed(event: CoreV1Event, reporter: string): FieldError[] {
  const errors: FieldError[] = [];
  const own = event.metadata.namespace ?? "";
  if (!event.involvedObject.namespace && own !== "default" && own !== "kube-system") {
    errors.push(namespaceMismatch(event));
  }
  const controller = event.reportingComponent ?? "";
  const reporterPath = FieldPath.of(reporter);
  if (controller === "") errors.push(required(reporterPath));
  errors.push(...invalidForEach(reporterPath, controller, qualifiedNameProblems(controller)));
  const bounded = (name: string, text = "", limit: number, needed = true): void => {
    if (needed && text === "") errors.push(required(FieldPath.of(name)));
    if (byteLength(text) > limit) {
      errors.push(invalid(FieldPath.of(name), "", `can have at most ${limit} characters`));
    }
  };
  bounded("reportingInstance", event.reportingInstance, 128);
  bounded("action", event.action, 128);
  bounded("reason", event.reason, 128);
  bounded("message", event.message, 1024, false);
  return errors;
}

/**
 * Validates an Event that is created through `events.k8s.io` by the additional rules of that group.
 */
function validateNew(event: CoreV1Event): FieldError[] {
  const errors = validateSeries(event);
  if (!event.eventTime) errors.push(required(FieldPath.of("eventTime")));
  if (event.type !== "Normal" && event.type !== "Warning") {
    errors.push(invalid(FieldPath.of("type"), "", `has invalid value: ${event.type ?? ""}`));
  }
  const old: [string, unknown][] = [
    ["firstTimestamp", event.firstTimestamp],
    ["lastTimestamp", event.lastTimestamp],
    ["count", event.count],
    ["source", event.source?.component || event.source?.host],
  ];
  for (const [name, value] of old) {
    if (value) errors.push(invalid(FieldPath.of(name), "", UNSET));
  }
  return errors;
}

function validateSeries({ series }: CoreV1Event): FieldError[] {
  if (!series) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) {
    errors.push(invalid(FieldPath.of("series.count"), "", "should be at least 2"));
  }
  if (!series.lastObservedTime) errors.push(required(FieldPath.of("series.lastObservedTime")));
  return errors;
}

/**
 * Validates an Event that is updated through `events.k8s.io` by the additional rules of that group:
 * only the series, by the rules for new Events, and the metadata may change.
 */
function validateChange(event: CoreV1Event, old: CoreV1Event): FieldError[] {
  const errors = sameValue(event.series, old.series) ? [] : validateSeries(event);
  const fixed = (name: string, value: unknown, before: unknown): void =>
    void errors.push(...validateImmutable(value, before, FieldPath.of(name)));
  fixed("involvedObject", innerReference(event.involvedObject), innerReference(old.involvedObject));
  fixed("reason", event.reason ?? "", old.reason ?? "");
  fixed("message", event.message ?? "", old.message ?? "");
  fixed("source", innerSource(event.source), innerSource(old.source));
  fixed("firstTimestamp", event.firstTimestamp, old.firstTimestamp);
  fixed("lastTimestamp", event.lastTimestamp, old.lastTimestamp);
  fixed("count", event.count ?? 0, old.count ?? 0);
  fixed("reason", event.reason ?? "", old.reason ?? "");
  fixed("type", event.type ?? "", old.type ?? "");
  fixed("eventTime", event.eventTime, old.eventTime);
  fixed("action", event.action ?? "", old.action ?? "");
  fixed(
    "related",
    event.related && innerReference(event.related),
    old.related && innerReference(old.related),
  );
  fixed("reportingController", event.reportingComponent ?? "", old.reportingComponent ?? "");
  fixed("reportingInstance", event.reportingInstance ?? "", old.reportingInstance ?? "");
  return errors;
}

/**
 * Returns an Event's object reference with the field names of kube-apiserver's internal type, which
 * error messages show.
 */
function innerReference(reference: CoreV1Event["involvedObject"]): Record<string, string> {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = reference;
  return {
    Kind: kind ?? "",
    Namespace: namespace ?? "",
    Name: name ?? "",
    UID: uid ?? "",
    APIVersion: apiVersion ?? "",
    ResourceVersion: resourceVersion ?? "",
    FieldPath: fieldPath ?? "",
  };
}

function innerSource(source: CoreV1Event["source"]): Record<string, string> {
  return { Component: source?.component ?? "", Host: source?.host ?? "" };
}

function sharedFieldNames(reference: string): string[] {
  return [...REFERENCE_FIELDS.map((field) => `${reference}.${field}`), "reason", "type"];
}

function sharedFields(event: CoreV1Event, reference: string): Record<string, string> {
  const about = REFERENCE_FIELDS.map((field): [string, string] => [
    `${reference}.${field}`,
    event.involvedObject?.[field] ?? "",
  ]);
  return {
    ...Object.fromEntries(about),
    reason: event.reason ?? "",
    type: event.type ?? "",
    reportingComponent: event.reportingComponent ?? "",
  };
}

function sourceOf({ source, reportingComponent }: CoreV1Event): string {
  return source?.component || reportingComponent || "";
}
