/**
 * Events about objects: what a controller did, and what stands in its way, for people who look at an
 * object with `kubectl describe`.
 *
 * @module
 */
export type { EventLimits } from "./event_correlator.ts";
export type { EventInit } from "./event_fields.ts";
export type { EventGate } from "./event_sender.ts";
export { EventRecorder, type EventRecorderOptions } from "./event_recorder.ts";
