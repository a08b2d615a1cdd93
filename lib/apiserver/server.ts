import {
  type Clock,
  errorText,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { CUSTOM_RULES } from "@xca/apimachinery/internal/cel";
import { badRequest, internalError, StatusError } from "@xca/apimachinery/internal/errors";
import { REGEXP_ENGINE } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { admissionChain } from "./admission/chain.ts";
import { EXPRESSIONS } from "./admission/expression_code.ts";
import { webhookClient } from "./admission/webhook_client.ts";
import { CustomResources } from "./crd/serving/custom_resources.ts";
import { discoveryAnswer } from "./discovery/discovery_answer.ts";
import { CustomApiServices } from "./controllers/custom_api_services.ts";
import { FlowSchemaConditions } from "./controllers/flow_schema_conditions.ts";
import { ServiceEndpoints } from "./controllers/service_endpoints.ts";
import { ServiceIpAddresses } from "./controllers/service_ip_addresses.ts";
import { SystemObjects } from "./controllers/system_objects.ts";
import { CONTROLLERS } from "./controllers/controllers.ts";
import { checkStartOptions } from "./start_options.ts";
import { Access, type AdmitNotes, type PeerInfo } from "./access/access.ts";
import { bootstrapRoles } from "./access/bootstrap_roles.ts";
import { isLongRunning } from "./access/flow_schemas.ts";
import { forbiddenAccess } from "./access/role_authorizer.ts";
import { openIdAnswer } from "./access/openid.ts";
import type { StaticTokens } from "./access/static_tokens.ts";
import { type AuditSink, AuditTrail } from "./audit/audit_trail.ts";
import type { CallWebhook } from "./machinery/call_webhook.ts";
import type { Endpoints } from "./machinery/endpoint.ts";
import { OPENAPI_CODE } from "./openapi/openapi_code.ts";
import { ObjectRegistry } from "./registry/object_registry.ts";
import { handleResource } from "./registry/resource_handler.ts";
import { finishAnswer, plainNotFound, statusAnswer } from "./request/answer.ts";
import { checkTimeout } from "./request/check_timeout.ts";
import { negotiate } from "./request/media_types.ts";
import { type RequestInfo, requestInfo } from "./request/request_info.ts";
import { route, UnknownRouteError } from "./request/route.ts";
import { firstObjects } from "./seed/first_objects.ts";
import { subresourceEndpoints } from "./subresources/endpoints.ts";
import { ResourceTable } from "./resources/resource_table.ts";
import { Compactor } from "./storage/compactor.ts";
import { Journal } from "./storage/journal.ts";
import { type LogSnapshot, RevisionLog } from "./storage/revision_log.ts";

/** Options of {@linkcode ApiServer.start}. */
export interface ApiServerOptions {
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock;
  /** Where identities come from. @default {systemRandom} */
  readonly random?: Random;
  /** The addresses of Services. @default {"10.0.0.0/24"} */
  readonly serviceCidr?: string;
  /** The node ports of Services. @default {30000 to 32767} */
  readonly nodePorts?: { readonly first: number; readonly last: number };
  /**
   * The file that keeps the cluster; made when it is not there. What any answer or watch shows is on
   * the disk by then. @default {none: the cluster is gone with the server}
   */
  readonly data?: string;
  /**
   * How much history is kept at most, in bytes. What is beyond is compacted, the oldest first, though it
   * is younger than the five minutes that history is kept otherwise. @default {512 MiB}
   */
  readonly historyBytes?: number;
  /**
   * Which controllers run in the server, by their names in kube-controller-manager; `false`: none.
   * @default {all that there are}
   */
  readonly controllers?: boolean | readonly string[];
  /** The key that signs the tokens of service accounts (PKCS #8 as PEM text). @default {a fresh one} */
  readonly serviceAccountKey?: string;
  /** Users by the bearer token that they show. @default {none} */
  readonly tokens?: StaticTokens;
  /** Takes the audit log, line by line. @default {none is kept} */
  readonly audit?: AuditSink;
  /** Calls the webhooks of users. @default {over TLS, to where they say} */
  readonly callWebhook?: CallWebhook;
}

/** A state of a cluster to come back to; {@linkcode ApiServer.snapshot} gives it. */
export interface ClusterSnapshot {
  /** The revision of the last write before it. */
  readonly revision: number;
}

/** The groups whose objects hold expressions. */
const WITH_EXPRESSIONS: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io",
  "admissionregistration.k8s.io",
]);

/**
 * A Kubernetes API server in this process: a function from `Request` to `Response`.
 *
 * Whoever calls {@linkcode ApiServer.fetch} without a peer and without credentials is its
 * administrator. Time and chance come from the options, so that a run can be repeated.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiServer } from "@xca/apiserver";
 *
 * using server = await ApiServer.start();
 * await server.seed("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
 * const path = "/api/v1/namespaces/default/configmaps/a";
 * const answer = await server.fetch(new Request(`https://embedded.invalid${path}`));
 * assert.equal((await answer.json()).metadata.name, "a");
 * ```
 */
export class ApiServer implements Disposable, AsyncDisposable {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #table = ResourceTable.builtin();
  readonly #log: RevisionLog;
  readonly #journal: Journal | undefined;
  readonly #registry: ObjectRegistry;
  readonly #stop = new AbortController();
  readonly #controllers = new DisposableStack();
  readonly #access: Access;
  readonly #audit: AuditTrail | undefined;
  readonly #endpoints: Endpoints;

  private constructor(
    options: ApiServerOptions,
    roles: string,
    log: RevisionLog,
    journal: Journal | undefined,
  ) {
    this.#log = log;
    this.#journal = journal;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    const { audit: sink, serviceAccountKey: signingKey, tokens } = options;
    const clocks = { clock: this.#clock, random: this.#random };
    this.#audit = sink && new AuditTrail({ sink, ...clocks });
    this.#access = new Access({ registry: () => this.#registry, ...clocks, signingKey, tokens });
    this.#endpoints = {
      ...this.#access.endpoints,
      ...subresourceEndpoints(this.#access.issuer),
    };
    const callWebhook = onceKept(
      journal,
      options.callWebhook ??
        webhookClient({ get: (...address) => this.#registry.get(...address) }),
    );
    const admission = admissionChain({
      callWebhook,
      authorize: this.#access.authorize,
      equivalents: ({ group, version, resource }) =>
        this.#table.versionsOf(group, resource).filter((row) => row.version !== version),
      resourceOfKind: (group, version, kind) => this.#table.findKind(group, version, kind),
    });
    this.#registry = new ObjectRegistry({
      log: this.#log,
      feed: journal?.kept,
      resources: this.#table,
      clock: this.#clock,
      random: this.#random,
      admission: [...admission, this.#access.escalation],
      serviceCidr: options.serviceCidr ?? "10.0.0.0/24",
      nodePorts: options.nodePorts ?? { first: 30000, last: 32767 },
      signal: this.#stop.signal,
    });
    this.#controllers.use(this.#access.follow(this.#registry));
    this.#controllers.use(
      new CustomResources({
        registry: this.#registry,
        table: this.#table,
        ...clocks,
        callWebhook,
      }),
    );
    bootstrapRoles(this.#log, roles, clocks);
    for (const [name, start] of Object.entries(CONTROLLERS)) {
      const asked = options.controllers ?? true;
      if (asked === true || (asked && asked.includes(name))) {
        this.#controllers.use(start(this.#registry, this.#clock));
      }
    }
  }

  /**
   * Starts a server with what every cluster has: the namespaces, roles and so on of the system.
   *
   * @throws {RangeError} When an option cannot be what it is for.
   * @throws {Error} When the data file cannot be used; the message names it.
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    checkStartOptions(options);
    const { BOOTSTRAP_ROLES } = await import("./facts/bootstrap_roles.ts");
    const log = new RevisionLog();
    const journal = options.data === undefined ? undefined : await Journal.open(options.data, log);
    if (journal && log.revision > 1) await loadExpressions();
    const server = new ApiServer(options, BOOTSTRAP_ROLES, log, journal);
    try {
      await server.#makeSystem(options.historyBytes);
    } catch (error) {
      server[Symbol.dispose]();
      throw error;
    }
    return server;
  }

  /** Watches begin after this, as they do on a kube-apiserver that has just started. */
  async #makeSystem(historyBytes: number | undefined): Promise<void> {
    const { BOOTSTRAP_OBJECTS } = await import("./facts/bootstrap_objects.ts");
    const { serviceCidr } = this.#registry;
    const clocks = { clock: this.#clock, random: this.#random };
    firstObjects(this.#log, BOOTSTRAP_OBJECTS, { ...clocks, serviceCidr });
    const system = this.#controllers.use(new SystemObjects(this.#registry, this.#clock));
    this.#controllers.use(new ServiceEndpoints(this.#registry, this.#clock));
    this.#controllers.use(new FlowSchemaConditions(this.#registry, this.#clock));
    await system.ready;
    await this.#controllers.use(new ServiceIpAddresses(this.#registry, this.#clock)).ready;
    await this.#controllers.use(new CustomApiServices(this.#registry, this.#clock)).ready;
    this.#log.beginWatches();
    this.#controllers.use(new Compactor(this.#log, this.#clock, historyBytes));
    await this.#journal?.durable();
  }

  /**
   * Puts objects into the cluster, from YAML or JSON text or as they are, as `kubectl apply
   * --server-side` does. Gives them as they are then.
   *
   * @throws {Error} When one is refused; the message names it.
   */
  async seed(manifests: string | readonly ApiObject[]): Promise<ApiObject[]> {
    const objects = typeof manifests === "string"
      ? (await import("./seed/manifests.ts")).parseManifests(manifests)
      : manifests;
    const { seedObjects } = await import("./seed/seed_objects.ts");
    return await seedObjects((request) => this.fetch(request), objects, { clock: this.#clock });
  }

  /** The state as it is, to come back to. Quick: nothing is copied. */
  snapshot(): ClusterSnapshot {
    return this.#log.snapshot();
  }

  /**
   * Goes back to a state. With `bump` it is a change like others, which watches tell of; with `keep`
   * objects and the server have the versions of then, watches end, and who watched lists anew.
   */
  restore(snapshot: ClusterSnapshot, revisions: "bump" | "keep" = "bump"): void {
    this.#log.restore(snapshot as LogSnapshot, revisions);
  }

  /**
   * Forgets the history, as kube-apiserver does of what is older than some minutes: a watch or an exact
   * list from before is answered 410, and its client must list anew.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { ApiServer } from "@xca/apiserver";
   *
   * using server = await ApiServer.start();
   * await server.seed("{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }");
   * server.compact();
   * const url = "https://x/api/v1/configmaps?resourceVersion=1&resourceVersionMatch=Exact";
   * assert.equal((await server.fetch(new Request(url))).status, 410);
   * ```
   */
  compact(): void {
    this.#log.compact(this.#log.revision);
  }

  /** Answers one request. Never rejects: what fails is answered with a `Status`. */
  async fetch(request: Request, peer?: PeerInfo): Promise<Response> {
    const info = requestInfo(request.method, new URL(request.url));
    const entry = this.#audit?.begin({ request, asked: info, address: peer?.address });
    const notes: AdmitNotes = entry ?? {};
    const warnings = new Set<string>();
    let response: Response;
    let failure: StatusError | undefined;
    try {
      response = await this.#answerKept(() => this.#answer(request, info, peer, notes, warnings));
    } catch (error) {
      if (error instanceof UnknownRouteError) {
        warnings.clear();
        response = plainNotFound();
      } else {
        failure = failureOf(error);
        response = statusAnswer(failure, request);
      }
    }
    if (request.method === "HEAD") response = new Response(null, response);
    finishAnswer(response, request, { warnings, flow: notes.flow, random: this.#random });
    return entry ? entry.answered(response, failure?.status) : response;
  }

  /** Ends all watches and timers. A data file is closed soon after. */
  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#controllers[Symbol.dispose]();
    this.#journal?.[Symbol.dispose]();
  }

  /** The same; when it settles, the data file is closed, and another server may open it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#controllers[Symbol.dispose]();
    await this.#journal?.close();
  }

  /**
   * Answers once everything that the answer may tell of is on the disk. A refusal may tell of a write
   * as an object does: that the name is taken, say.
   *
   * @throws {DataFileError} Once the disk failed: what is in memory may never be on it.
   */
  async #answerKept(answer: () => Promise<Response>): Promise<Response> {
    const journal = this.#journal;
    if (!journal) return await answer();
    journal.checkWorking();
    const [outcome] = await Promise.allSettled([answer()]);
    try {
      await journal.durable();
    } catch (error) {
      if (outcome.status === "fulfilled") await outcome.value.body?.cancel();
      throw error;
    }
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async #answer(
    request: Request,
    info: RequestInfo,
    peer: PeerInfo | undefined,
    notes: AdmitNotes,
    warnings: Set<string>,
  ): Promise<Response> {
    if (!isLongRunning(info)) checkTimeout(info.query);
    const user = this.#access.admit(request, info, peer, notes);
    if (!info.isResource) return await this.#answerPath(request, info.path);
    if (WITH_EXPRESSIONS.has(info.group) && !isRead(request)) await loadExpressions();
    const row = this.#table.find(info.group, info.version, info.resource);
    // Of custom resources it is said before anything else of the request counts.
    if (row?.customResourceDefinition && row.deprecationWarning) {
      warnings.add(row.deprecationWarning);
    }
    const { resource, subresource } = route(info, this.#table);
    const negotiated = negotiate(
      request.headers,
      info.query,
      resource,
      info.verb === "watch",
      subresource?.name,
    );
    if (resource.deprecationWarning) warnings.add(resource.deprecationWarning);
    const signalOf = (): AbortSignal => this.#signalOf(request, info);
    return await handleResource({
      registry: this.#registry,
      endpoints: this.#endpoints,
      request,
      info,
      user,
      resource,
      subresource,
      negotiated,
      now: this.#clock.now(),
      work: this.#registry.share.begin(signalOf),
      signalOf,
      authorizeCreate: () => this.#demandCreate(info, user),
      warnings,
    });
  }

  async #answerPath(request: Request, path: string): Promise<Response> {
    const discovery = discoveryAnswer(request, this.#table, this.#log);
    if (discovery) return discovery;
    if (path.startsWith("/openapi/")) {
      const { openApiAnswer } = await OPENAPI_CODE.get();
      const document = await openApiAnswer(request, this.#table, this.#clock);
      if (document) return document;
    }
    const issuer = openIdAnswer(request, this.#access.issuer);
    if (issuer) return issuer;
    throw new UnknownRouteError();
  }

  /** @throws {StatusError} 403 when someone who may update may not create. */
  #demandCreate(info: RequestInfo, user: RequestUser): void {
    const asked = { ...info, user, verb: "create" };
    const { allowed, reason } = this.#access.authorize(asked);
    if (!allowed) throw forbiddenAccess(asked, reason);
  }

  /** Aborts when the caller goes away; that of a watch also when the server stops. */
  #signalOf(request: Request, { verb }: RequestInfo): AbortSignal {
    if (verb !== "watch") return request.signal;
    const ends = [request.signal, this.#stop.signal];
    return AbortSignal.any(this.#journal ? [...ends, this.#journal.failed] : ends);
  }
}

/** Calls webhooks once the disk has what they may be shown: the object before an update, say. */
function onceKept(journal: Journal | undefined, call: CallWebhook): CallWebhook {
  if (!journal) return call;
  return async (request) => {
    await journal.durable();
    return await call(request);
  };
}

/** What writes of objects with expressions need; a start does without. */
async function loadExpressions(): Promise<void> {
  await Promise.all([CUSTOM_RULES.get(), EXPRESSIONS.get(), REGEXP_ENGINE.get()]);
}

/** What a request failed by, in the form of an answer. */
function failureOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // The stack is some thousand levels of an object deep; kube-apiserver takes ten thousand.
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return badRequest("the object is nested deeper than this server takes");
  }
  return internalError(errorText(error));
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
