/**
 * Events about objects: the actions and problems of a controller, for users who inspect an object
 * with `kubectl describe`.
 *
 * @module
 */
export type { EventLimits } from "./event_correlator.ts";
export type { EventInit } from "./event_fields.ts";
export type { EventGate } from "./event_sender.ts";
export { EventRecorder, type EventRecorderOptions } from "./event_recorder.ts";
