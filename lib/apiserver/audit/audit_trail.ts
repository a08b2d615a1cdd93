/**
 * Writes the audit log of an API server. Mirrors `endpoints/filters/audit.go, WithAudit`.
 *
 * @module
 */
import type { Clock, Random } from "@xca/apimachinery/base";
import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import type { FailureStatus } from "@xca/apimachinery/internal/errors";
import { formatMicroTime } from "@xca/apimachinery/meta";
import type { AuditedObject, AuditNotes } from "../machinery/audit_notes.ts";
import { asksForWebSocket } from "../machinery/web_socket_request.ts";

/** A function that receives one line of the audit log, including the line break. */
export type AuditSink = (line: string) => void;

/** Options of the class {@linkcode AuditTrail}, which writes the audit log of an API server. */
export interface AuditTrailInit {
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The facts that the audit log records about a request at its arrival, which the API server passes
 * to {@linkcode AuditTrail.begin}.
 */
export interface AuditedRequest {
  readonly request: Request;
  readonly asked: Omit<AccessAttributes, "user">;
  /** The IP address of the client that sent the audited request, if known. */
  readonly address?: string | undefined;
}

/**
 * The audit log: one JSON line per request and two per accepted watch, each an `Event` of
 * `audit.k8s.io/v1` at level `Metadata`. The log never contains bodies, nor headers other than
 * `User-Agent`, and therefore no secrets or tokens.
 */
export class AuditTrail {
  readonly #init: AuditTrailInit;

  constructor(init: AuditTrailInit) {
    this.#init = init;
  }

  /** Returns a new audit log entry for a request. Nothing is written to the log yet. */
  begin(request: AuditedRequest): AuditEntry {
    return new AuditEntry(this.#init, request);
  }
}

/** The audit log entry of one request, which collects the facts about it until its answer. */
export class AuditEntry implements AuditNotes {
  /** The user who sent the audited request; `undefined` until the request is authenticated. */
  user: RequestUser | undefined;
  /** The user that the audited request impersonates; `undefined` for none. */
  impersonated: RequestUser | undefined;
  /**
   * The authorization decision about the audited request, and its reason; `undefined` until the
   * decision.
   */
  decision: { readonly allowed: boolean; readonly reason: string } | undefined;
  /**
   * The identity of the object in the body of the audited request; `undefined` until the body is
   * decoded, and for requests other than POST and PUT.
   */
  object: AuditedObject | undefined;
  readonly #init: AuditTrailInit;
  readonly #request: AuditedRequest;
  readonly #id: string;
  readonly #received: Date;

  /** Creates the audit log entry of a request; called by {@linkcode AuditTrail.begin} alone. */
  constructor(init: AuditTrailInit, request: AuditedRequest) {
    this.#init = init;
    this.#request = request;
    this.#id = init.random.uuid();
    this.#received = init.clock.now();
  }

  /**
   * Writes the audit log entry of a response, and returns the response. For an accepted watch,
   * returns another response, whose end writes the entry a second time. `failure` is the Status of
   * a refused request.
   */
  answered(response: Response, failure?: FailureStatus): Response {
    const { verb } = this.#request.asked;
    if (verb !== "watch" || !response.ok || !response.body) {
      this.#write("ResponseComplete", response.status, failure);
      return response;
    }
    // The front switches protocols, which is recorded even if the handshake fails later.
    const code = asksForWebSocket(this.#request.request.headers) ? 101 : response.status;
    this.#write("ResponseStarted", code);
    const ended = new TransformStream<Uint8Array, Uint8Array>();
    response.body.pipeTo(ended.writable).catch(() => {}) // Either side may end the stream.
      .finally(() => this.#write("ResponseComplete", code));
    const { status, headers } = response;
    return new Response(ended.readable, { status, headers });
  }

  #write(stage: string, code: number, failure?: FailureStatus): void {
    const { request, asked, address } = this.#request;
    const url = new URL(request.url);
    const userAgent = request.headers.get("user-agent");
    const event = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: this.#id,
      stage,
      requestURI: url.pathname + url.search,
      verb: asked.verb,
      user: this.user ? userOf(this.user) : {},
      ...(this.impersonated && { impersonatedUser: userOf(this.impersonated) }),
      ...(address && { sourceIPs: [address] }),
      ...(userAgent && { userAgent }),
      ...(asked.isResource && { objectRef: objectRef(asked, this.object) }),
      responseStatus: { metadata: {}, ...statusOf(failure), code },
      requestReceivedTimestamp: formatMicroTime(this.#received),
      stageTimestamp: formatMicroTime(this.#init.clock.now()),
      ...(this.decision && {
        annotations: {
          "authorization.k8s.io/decision": this.decision.allowed ? "allow" : "forbid",
          "authorization.k8s.io/reason": this.decision.reason,
        },
      }),
    };
    this.#init.sink(`${JSON.stringify(event)}\n`);
  }
}

function userOf({ name, uid, groups, extra }: RequestUser): unknown {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

/**
 * Returns the object reference of an audit event. The body of a request names the object if the
 * path does not, such as for a creation.
 */
function objectRef(asked: Omit<AccessAttributes, "user">, object: AuditedObject = {}): unknown {
  const { resource, group, version, subresource } = asked;
  const { uid, resourceVersion } = object;
  const namespace = asked.namespace || object.namespace;
  const name = asked.name || object.name;
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(resourceVersion && { resourceVersion }),
    ...(subresource && { subresource }),
  };
}

function statusOf(failure: FailureStatus | undefined): object {
  if (!failure) return {};
  const { status, message, reason, details } = failure;
  return { status, message, reason, ...(details && { details }) };
}
