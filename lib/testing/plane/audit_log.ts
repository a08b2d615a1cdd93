/**
 * An event of the API server's audit log, at level `Metadata` or above (`audit.k8s.io/v1`,
 * `Event`).
 */
export interface AuditEvent {
  /** The id of the audited request, shared by the events of its stages. */
  readonly auditID: string;
  /**
   * The stage of the audited request: `ResponseStarted` for a watch that began, `ResponseComplete`
   * for a request that ended.
   */
  readonly stage: "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";
  /** The path and query of the audited request. */
  readonly requestURI: string;
  /**
   * The verb of the audited request: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`,
   * `deletecollection`, or another.
   */
  readonly verb: string;
  /** The user who sent the audited request, not one that the request impersonates. */
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  /** The User-Agent header of the audited request; absent if the request had none. */
  readonly userAgent?: string;
  /** The object of the audited request; absent for requests outside the resource paths. */
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  /** The status of the response to the audited request; absent at stage `RequestReceived`. */
  readonly responseStatus?: { readonly code?: number; readonly reason?: string };
  /** The time at which the audited request was received, RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** The time of the audit event's stage, RFC 3339 with microseconds. */
  readonly stageTimestamp: string;
}

/**
 * An audit policy at level `Metadata`: users, verbs and objects, without bodies. The policy omits
 * stage `RequestReceived`.
 */
export const AUDIT_POLICY_METADATA: string = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`;

/**
 * Returns the events of an audit log, one per line of JSON. Skips a last line without a line feed,
 * which the API server is still writing.
 *
 * @throws {SyntaxError} When another line is not JSON.
 */
export function parseAuditLog(text: string): AuditEvent[] {
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent);
}
