import { isForbidden } from "../../client/errors/api_error.ts";
import type { ReflectorState } from "./reflector_state.ts";
import type { WatchFailure } from "../watch/watch_failure.ts";

/** Describes the next step of the reflector, for the log. */
export function describe(state: ReflectorState): string {
  if (state.kind !== "backingOff") return state.kind;
  return state.next.kind === "watching"
    ? "resuming after a pause"
    : "reading everything again after a pause";
}

/** Returns the advice for a permission that is missing. */
export function adviceOn(before: ReflectorState, failure: WatchFailure): string {
  if (!isForbidden(failure.error)) return "";
  return before.kind === "watching"
    ? "; grant this user the verb watch: until then changes show only when all is read again"
    : "; grant this user the verbs list and watch";
}
