/** An entry of the API server's audit log, at level `Metadata` or above. */
export interface AuditEvent {
  /** Identifies the request; its stages share it. */
  readonly auditID: string;
  /** `ResponseStarted` for a watch that began, `ResponseComplete` for a request that ended. */
  readonly stage: "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";
  /** Path and query of the request. */
  readonly requestURI: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, ... */
  readonly verb: string;
  /** Who asked. */
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  /** What the client calls itself. */
  readonly userAgent?: string;
  /** The object that the request is about; absent for requests outside the resource paths. */
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  /** The answer; absent at stage `RequestReceived`. */
  readonly responseStatus?: { readonly code?: number; readonly reason?: string };
  /** When the server got the request, RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** When this stage was reached, RFC 3339 with microseconds. */
  readonly stageTimestamp: string;
}

/** Logs who did what to which object, and no bodies; a request's arrival is left out. */
export const AUDIT_POLICY_METADATA: string = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`;

/** Reads an audit log; a last line that is still being written is left for the next reading. */
export function parseAuditLog(text: string): AuditEvent[] {
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent);
}
