import type * as OpenTelemetry from "@opentelemetry/api";

/** The type of OpenTelemetry's API module. */
export type Telemetry = typeof OpenTelemetry;

/**
 * The symbol of the property of `globalThis` in which SDKs register (`@opentelemetry/api`,
 * src/internal/global-utils.ts); Deno registers there when `OTEL_DENO` is set.
 */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let loaded: Telemetry | undefined;
let loading: Promise<void> | undefined;

/**
 * Returns the API of OpenTelemetry; `undefined` while no SDK is registered (a check of a few
 * nanoseconds), or without the package `@opentelemetry/api`. The first call after an SDK was
 * registered begins to load the API; calls return `undefined` until it is loaded.
 */
export function telemetry(): Telemetry | undefined {
  if ((globalThis as Record<symbol, unknown>)[REGISTERED] === undefined) return undefined;
  if (!loaded) void loadTelemetry();
  return loaded;
}

/**
 * Loads the API of OpenTelemetry, once per process; resolves when it is loaded, or when it cannot
 * be loaded; never rejects.
 */
export function loadTelemetry(): Promise<void> {
  return loading ??= import("@opentelemetry/api").then(
    (api) => void (loaded = api),
    () => {}, // Without the package, nothing is traced.
  );
}
