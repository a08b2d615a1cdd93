export type { ReflectorSink } from "./reflector_sink.ts";
export type { WatchHealth } from "./watch_health.ts";
