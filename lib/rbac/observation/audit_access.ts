import { connectVerbs } from "./connect_verbs.ts";
import { Observations, type ObservedAccess } from "./observed_access.ts";

/**
 * The fields of an audit event that determine the access of its request (`audit.k8s.io/v1`,
 * `Event`).
 */
export interface AuditedRequest {
  /** The stage of the audited request, such as `ResponseComplete`. */
  readonly stage: string;
  /** The verb of the audited request, as RBAC names it. */
  readonly verb: string;
  /** The path and query of the audited request. */
  readonly requestURI: string;
  /** The user in the audit event, who sent the request; an impersonated user is not considered. */
  readonly user: {
    /** The name of the user who sent the audited request. */
    readonly username?: string;
  };
  /** The object of the audited request; absent for requests outside of resources. */
  readonly objectRef?: {
    /** The API group of the audited request's object. @default the core group */
    readonly apiGroup?: string;
    /** The plural name of the audited object's resource. */
    readonly resource?: string;
    /** The subresource of the audited request. */
    readonly subresource?: string;
    /** The namespace of the audited request's object. */
    readonly namespace?: string;
    /** The name of the audited request's object. */
    readonly name?: string;
  };
  /** The status of the response to the audited request. */
  readonly responseStatus?: {
    /** The HTTP status code of the response to the audited request. */
    readonly code?: number;
  };
}

/**
 * Returns the accesses of the requests in an audit log: that of kube-apiserver, or of the embedded
 * API server. Each access is returned once, sorted, without a controller. A refused request counts
 * too. A patch that created its object, which the log shows by the code 201, counts as `create`
 * too, and so does a GET that opens a connection to a pod (`exec`, `attach`, `portforward`).
 * Requests outside of resources, those that every user may send, and events of the stage
 * `RequestReceived` are left out.
 *
 * @param user The name of the user whose requests count, such as
 * `system:serviceaccount:greeter-system:greeter`.
 *
 * @default all users
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { accessOfAudit } from "@xca/operator/rbac";
 *
 * const [access] = accessOfAudit([{
 *   stage: "ResponseComplete",
 *   verb: "get",
 *   requestURI: "/api/v1/namespaces/shop/secrets/token",
 *   user: { username: "jane" },
 *   objectRef: { resource: "secrets", namespace: "shop", name: "token" },
 * }]);
 * assert.equal(access?.resource, "secrets");
 * ```
 */
export function accessOfAudit(events: readonly AuditedRequest[], user?: string): ObservedAccess[] {
  const observations = new Observations();
  for (const { stage, verb, requestURI, user: { username }, objectRef, responseStatus } of events) {
    if (stage === "RequestReceived" || objectRef?.resource === undefined) continue;
    if (user !== undefined && username !== user) continue;
    const { apiGroup = "", resource, subresource, namespace = "", name } = objectRef;
    const [path] = requestURI.split("?");
    const target = subresource === undefined ? resource : `${resource}/${subresource}`;
    const verbs = verb === "patch" && responseStatus?.code === 201
      ? ["create", "patch"]
      : verb === "get"
      ? connectVerbs(target)
      : [verb];
    for (const each of verbs) {
      observations.add({
        verb: each,
        group: apiGroup,
        resource: target,
        // The namespace of a Namespace is its own name.
        namespace: apiGroup === "" && resource === "namespaces" ? "" : namespace,
        ...(name !== undefined && name !== "" && { name }),
        controller: "",
        request: `${verb} ${path}`,
      });
    }
  }
  return observations.list();
}

/**
 * Parses the text of an audit log, one JSON event per line; blank lines are skipped. Returns
 * `undefined` for a text with a line that is no such event, and for a text without events.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseAudit } from "@xca/operator/rbac";
 *
 * const line = '{"stage":"ResponseComplete","verb":"get","requestURI":"/version","user":{}}';
 * assert.equal(parseAudit(line)?.[0]?.verb, "get");
 * assert.equal(parseAudit("kind: Role"), undefined);
 * ```
 */
export function parseAudit(text: string): AuditedRequest[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const events: AuditedRequest[] = [];
  for (const line of lines) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return undefined;
    }
    if (!isAudited(value)) return undefined;
    events.push(value);
  }
  return events.length > 0 ? events : undefined;
}

function isAudited(value: unknown): value is AuditedRequest {
  if (!isRecord(value)) return false;
  const { verb, requestURI, user, objectRef = {}, responseStatus = {} } = value;
  return typeof verb === "string" && typeof requestURI === "string" && isRecord(user) &&
    isRecord(responseStatus) && isRecord(objectRef) &&
    Object.values(objectRef).every((field) => typeof field === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
