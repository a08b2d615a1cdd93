/**
 * What sort of failure ended a request or a stream, as far as the next step depends on it.
 *
 * - `network`: no answer, or the connection broke.
 * - `throttled`: 429.
 * - `server`: 5xx or a time-out of the server's.
 * - `expired`: 410, the version asked for is compacted away.
 * - `tooLarge`: the version asked for is beyond what the server knows.
 * - `missing`: 404, the server has no such resource (a CRD not installed, or deleted).
 * - `unauthorized`: 401.
 * - `refused`: any other 4xx.
 * - `internal`: an in-stream error with reason InternalError.
 * - `storeRead`: an in-stream error saying that the server cannot read an object back.
 * - `idle`: nothing arrived for longer than the idle deadline.
 * - `shortWatch`: the server accepted a watch and closed it at once, without progress.
 * - `noInitialEventsEnd`: the bookmark that ends the initial events did not come in time.
 * - `undecodable`: the answer could not be understood, or the sink would not take an object.
 * - `timeTravel`: the answer was older than what was seen before.
 */
export type FailureKind =
  | "network"
  | "throttled"
  | "server"
  | "expired"
  | "tooLarge"
  | "missing"
  | "unauthorized"
  | "refused"
  | "internal"
  | "storeRead"
  | "idle"
  | "shortWatch"
  | "noInitialEventsEnd"
  | "undecodable"
  | "timeTravel";
