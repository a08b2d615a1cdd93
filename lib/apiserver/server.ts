import { type Clock, systemClock } from "../base/clock.ts";
import { errorText } from "../base/error_text.ts";
import { type Random, systemRandom } from "../base/random.ts";
import { Access, type PeerInfo } from "./access/access.ts";
import { openIdAnswer } from "./access/openid.ts";
import type { StaticTokens } from "./access/static_tokens.ts";
import { type AuditEntry, type AuditSink, AuditTrail } from "./audit/audit_trail.ts";
import type { Admission } from "./machinery/admission.ts";
import type { Endpoints } from "./machinery/endpoint.ts";
import type { RegistryPort } from "./machinery/registry_port.ts";
import { internalError, StatusError, unknownPath } from "./machinery/status_error.ts";
import { PROVISIONAL_RESOURCES } from "./registry/provisional_resources.ts";
import { Registry } from "./registry/registry.ts";
import { RequestScope } from "./registry/request_scope.ts";
import { handleResource } from "./registry/resource_handler.ts";
import { statusAnswer } from "./request/answer.ts";
import { type RequestInfo, requestInfo } from "./request/request_info.ts";
import { RevisionLog } from "./storage/revision_log.ts";

/** Options of {@linkcode ApiServer.start}. */
export interface ApiServerOptions {
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
  /** Where identities come from. @default {systemRandom} */
  readonly random?: Random;
  /** The addresses of Services. @default {"10.0.0.0/24"} */
  readonly serviceCidr?: string;
  /** The node ports of Services. @default {30000 to 32767} */
  readonly nodePorts?: { readonly first: number; readonly last: number };
  /** The key that signs the tokens of service accounts (PKCS #8 as PEM text). @default {a fresh one} */
  readonly serviceAccountKey?: string;
  /** Users by the bearer token that they show. @default {none} */
  readonly tokens?: StaticTokens;
  /** Takes the audit log, line by line. @default {none is kept} */
  readonly audit?: AuditSink;
}

// Where the parts plug in. Each slot takes one line of its owner.

/** Admission plugins, in the order in which they run. */
const ADMISSION: readonly Admission[] = [];

/** What answers paths that are no plain storage. */
const ENDPOINTS: Endpoints = {};

/** Answers paths that are no resource: discovery, OpenAPI, version, health, metrics. */
type NonResourceAnswer = (request: Request, info: RequestInfo) => Response | undefined;
const NON_RESOURCE_ANSWERS: readonly NonResourceAnswer[] = [];

/** Controllers: started with the server, disposed with it. */
type Controller = (registry: RegistryPort, clock: Clock) => Disposable;
const CONTROLLERS: readonly Controller[] = [];

/**
 * A Kubernetes API server in this process: a function from `Request` to `Response`.
 */
export class ApiServer implements Disposable {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #registry: Registry;
  readonly #stop = new AbortController();
  readonly #controllers = new DisposableStack();
  readonly #access: Access;
  readonly #audit: AuditTrail | undefined;

  private constructor(options: ApiServerOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    const { audit: sink, serviceAccountKey: signingKey, tokens } = options;
    const clocks = { clock: this.#clock, random: this.#random };
    this.#audit = sink && new AuditTrail({ sink, ...clocks });
    this.#access = new Access({ registry: () => this.#registry, ...clocks, signingKey, tokens });
    this.#registry = new Registry({
      log: new RevisionLog(),
      resources: PROVISIONAL_RESOURCES,
      clock: this.#clock,
      random: this.#random,
      admission: [...ADMISSION, this.#access.escalation],
      serviceCidr: options.serviceCidr ?? "10.0.0.0/24",
      nodePorts: options.nodePorts ?? { first: 30000, last: 32767 },
      signal: this.#stop.signal,
    });
    this.#controllers.use(this.#access.follow(this.#registry));
    for (const start of CONTROLLERS) this.#controllers.use(start(this.#registry, this.#clock));
  }

  /** Starts a server with an empty cluster. */
  static start(options: ApiServerOptions = {}): Promise<ApiServer> {
    return Promise.resolve(new ApiServer(options));
  }

  /** Answers one request. Never rejects: what fails is answered with a `Status`. */
  async fetch(request: Request, peer?: PeerInfo): Promise<Response> {
    const info = requestInfo(request.method, new URL(request.url));
    const entry = this.#audit?.begin({ request, asked: info, address: peer?.address });
    try {
      const response = await this.#answer(request, info, peer, entry);
      return entry ? entry.answered(response) : response;
    } catch (error) {
      const failure = error instanceof StatusError ? error : internalError(errorText(error));
      const response = statusAnswer(failure);
      return entry ? entry.answered(response, failure.status) : response;
    }
  }

  /** Ends all watches and timers. */
  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#controllers[Symbol.dispose]();
  }

  async #answer(
    request: Request,
    info: RequestInfo,
    peer: PeerInfo | undefined,
    entry: AuditEntry | undefined,
  ): Promise<Response> {
    const user = this.#access.admit(request, info, peer, entry);
    if (!info.isResource) {
      for (const answer of NON_RESOURCE_ANSWERS) {
        const response = answer(request, info);
        if (response) return response;
      }
      const issuer = openIdAnswer(request, this.#access.issuer);
      if (issuer) return issuer;
      throw unknownPath();
    }
    const resource = this.#registry.resources.find(info.group, info.version, info.resource);
    if (!resource) throw unknownPath();
    void ENDPOINTS;
    const scope = new RequestScope({
      user,
      verb: info.verb,
      resource,
      namespace: info.namespace,
      name: info.name,
      subresource: info.subresource,
      dryRun: info.query.has("dryRun"),
      fieldManager: info.query.get("fieldManager") ?? "unknown",
      fieldValidation: "Warn",
      now: this.#clock.now(),
      query: info.query,
      signal: request.signal,
      random: this.#random,
    });
    const response = await handleResource(this.#registry, scope, request);
    for (const text of scope.warnings) {
      response.headers.append("Warning", `299 - ${JSON.stringify(text)}`);
    }
    return response;
  }
}
