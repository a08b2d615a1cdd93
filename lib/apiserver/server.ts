import {
  type Clock,
  errorText,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { selectNames } from "@xca/apimachinery/internal/base";
import {
  forbidden,
  internalError,
  isStackOverflow,
  nestedTooDeep,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ExtensionApis } from "./aggregation/extension_apis.ts";
import { admissionChain } from "./admission/chain.ts";
import { webhookClient } from "./admission/webhook_client.ts";
import { CustomResources } from "./crd/serving/custom_resources.ts";
import { wantsAggregated } from "./discovery/aggregated.ts";
import type { ComponentFacts } from "./discovery/component_pages.ts";
import { discoveryAnswer } from "./discovery/discovery_answer.ts";
import { ApiServiceAvailability } from "./controllers/api_service_availability.ts";
import { CustomApiServices } from "./controllers/custom_api_services.ts";
import { FlowSchemaConditions } from "./controllers/flow_schema_conditions.ts";
import { ServiceIpAddresses } from "./controllers/service_ip_addresses.ts";
import { SystemObjects } from "./controllers/system_objects.ts";
import { API_SERVER_CONTROLLERS, CONTROLLERS } from "./controllers/controllers.ts";
import type { ApiServerOptions } from "./server_options.ts";
import { checkStartOptions, flagsOf, NODE_PORTS, SERVICE_CIDR } from "./start_options.ts";
import { Access, type AdmitNotes, type PeerInfo } from "./access/access.ts";
import { bootstrapRoles } from "./access/bootstrap_roles.ts";
import { isLongRunning } from "./access/flow_schemas.ts";
import { forbiddenAccess } from "./access/role_authorizer.ts";
import { openIdAnswer } from "./access/openid.ts";
import { AuditTrail } from "./audit/audit_trail.ts";
import type { AuditNotes } from "./machinery/audit_notes.ts";
import type { Endpoints } from "./machinery/endpoint.ts";
import { OPENAPI_CODE } from "./openapi/openapi_code.ts";
import { ObjectRegistry } from "./registry/objects/object_registry.ts";
import { handleResource } from "./registry/handlers/resource_handler.ts";
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
import { callWhenKept } from "./call_when_kept.ts";
import { type LogSnapshot, RevisionLog } from "./storage/revision_log.ts";

/**
 * A state of the cluster, returned by {@linkcode ApiServer.snapshot} for {@linkcode
 * ApiServer.restore}.
 */
export interface ClusterSnapshot {
  /** The resource version of the last write before the snapshot. */
  readonly revision: number;
}

/**
 * An in-process Kubernetes API server: a function from `Request` to `Response`.
 *
 * A call of {@linkcode ApiServer.fetch} without a peer and without credentials has the rights of an
 * administrator. Time and randomness come from the options, so that a run can be repeated.
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
  readonly #controllers: DisposableStack;
  readonly #facts: ComponentFacts;
  #probes: ApiServiceAvailability | undefined;
  readonly #access: Access;
  readonly #audit: AuditTrail | undefined;
  readonly #endpoints: Endpoints;
  readonly #extensions: ExtensionApis;

  /** Creates an API server. @ignore Servers are created by {@linkcode ApiServer.start}. */
  protected constructor({ options, roles, log, journal, controllers: running }: ServerParts) {
    this.#controllers = running;
    this.#log = log;
    this.#journal = journal;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#facts = {
      flags: flagsOf(options),
      startTime: this.#clock.now(),
      clock: this.#clock,
    };
    const { audit: sink, serviceAccountKey: signingKey, tokens } = options;
    const clocks = { clock: this.#clock, random: this.#random };
    this.#audit = sink && new AuditTrail({ sink, ...clocks });
    this.#access = new Access({ registry: () => this.#registry, ...clocks, signingKey, tokens });
    this.#endpoints = {
      ...this.#access.endpoints,
      ...subresourceEndpoints(this.#access.issuer),
    };
    const callWebhook = callWhenKept(
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
      ...clocks,
      signal: this.#stop.signal,
    }, options);
    this.#registry = new ObjectRegistry({
      log: this.#log,
      feed: journal?.kept,
      resources: this.#table,
      clock: this.#clock,
      random: this.#random,
      admission: [...admission, this.#access.escalation],
      serviceCidr: options.serviceCidr ?? SERVICE_CIDR,
      nodePorts: options.nodePorts ?? NODE_PORTS,
      reach: options.reach,
      components: options.components,
      signal: this.#stop.signal,
    });
    this.#extensions = new ExtensionApis(this.#registry, this.#clock);
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
    const { controllers = true } = options;
    const list = controllers === true ? ["*"] : controllers || [];
    for (const name of selectNames(list, API_SERVER_CONTROLLERS)) {
      this.#controllers.use(CONTROLLERS[name]!(this.#registry, this.#clock));
    }
  }

  /**
   * Starts an API server with the objects that every cluster has, such as system namespaces and
   * roles. On another clock than `systemClock`, the start loads all code, so that no request waits
   * for a file.
   *
   * @throws {RangeError} If an option is invalid.
   * @throws {Error} If the data file cannot be used; the message names it. After any error the data
   * file is closed.
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    checkStartOptions(options);
    const { clock = systemClock } = options;
    // Nothing may be loaded while the controllers run, else their writes would have another order.
    const [{ BOOTSTRAP_ROLES: roles }, { BOOTSTRAP_OBJECTS }] = await Promise.all([
      import("./facts/bootstrap_roles.ts"),
      import("./facts/bootstrap_objects.ts"),
    ]);
    if (clock !== systemClock) await (await import("./load_all.ts")).loadAll();
    const log = new RevisionLog();
    const journal = options.data === undefined ? undefined : await Journal.open(options.data, log);
    const controllers = new DisposableStack();
    let server: ApiServer | undefined;
    try {
      server = new this({ options, roles, log, journal, controllers }); // `this` may be a subclass.
      await server.#makeSystem(BOOTSTRAP_OBJECTS, options.historyBytes);
      return server;
    } catch (error) {
      if (server) server.#stop.abort();
      controllers[Symbol.dispose]();
      await journal?.close().catch(() => {}); // The error of the start matters.
      throw error;
    }
  }

  /**
   * Creates the system objects, such as namespaces, and starts the controllers that keep them.
   * Watches cannot begin at a revision before these objects, as on a new kube-apiserver.
   */
  async #makeSystem(objects: string, historyBytes: number | undefined): Promise<void> {
    const { serviceCidr } = this.#registry;
    const clocks = { clock: this.#clock, random: this.#random };
    firstObjects(this.#log, objects, { ...clocks, serviceCidr });
    const system = this.#controllers.use(new SystemObjects(this.#registry, this.#clock));
    this.#controllers.use(new FlowSchemaConditions(this.#registry, this.#clock));
    await system.ready;
    await this.#controllers.use(new ServiceIpAddresses(this.#registry, this.#clock)).ready;
    await this.#controllers.use(new CustomApiServices(this.#registry, this.#clock)).ready;
    // On a virtual clock, network responses would arrive at varying times, and runs would differ.
    if (this.#clock === systemClock) {
      this.#probes = this.#controllers.use(new ApiServiceAvailability(this.#registry, this.#clock));
    }
    this.#log.beginWatches();
    this.#controllers.use(new Compactor(this.#log, this.#clock, historyBytes));
    await this.#journal?.durable();
  }

  /**
   * Creates or updates objects, given as YAML or JSON text or as values, like `kubectl apply
   * --server-side`. Returns the written objects.
   *
   * @throws {Error} When an object is refused; the message names the object. The objects before it
   * remain written.
   */
  async seed(manifests: string | readonly ApiObject[]): Promise<ApiObject[]> {
    const objects = typeof manifests === "string"
      ? (await import("./seed/manifests.ts")).parseManifests(manifests)
      : manifests;
    const { seedObjects } = await import("./seed/seed_objects.ts");
    return await seedObjects((request) => this.fetch(request), objects, { clock: this.#clock });
  }

  /** Returns a snapshot of the cluster's current state, to restore it later. Nothing is copied. */
  snapshot(): ClusterSnapshot {
    return this.#log.snapshot();
  }

  /**
   * Restores a state of the cluster that {@linkcode ApiServer.snapshot} of this server returned.
   * `bump`, the default, writes the differences as new revisions, which watches report; `keep`
   * restores the revisions too and ends all watches, whose clients must list again.
   */
  restore(snapshot: ClusterSnapshot, revisions: "bump" | "keep" = "bump"): void {
    this.#log.restore(snapshot as LogSnapshot, revisions);
  }

  /**
   * Compacts the write history, as kube-apiserver does after some minutes: a watch or an exact list
   * at an earlier resource version is answered with 410, and the client must list again.
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

  /**
   * Answers an HTTP request to the API server. Errors are answered with a `Status`, and an unknown
   * path with a 404 of plain text. Without `peer`, a request without credentials has the rights of
   * an administrator.
   */
  async fetch(request: Request, peer?: PeerInfo): Promise<Response> {
    const info = requestInfo(request.method, new URL(request.url));
    const entry = this.#audit?.begin({ request, asked: info, address: peer?.address });
    const notes: AdmitNotes & AuditNotes = entry ?? {};
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
        response = await statusAnswer(failure, request, () => this.#registry.share.begin());
      }
    }
    if (request.method === "HEAD") response = new Response(null, response);
    finishAnswer(response, request, { warnings, flow: notes.flow, random: this.#random });
    return entry ? entry.answered(response, failure?.status) : response;
  }

  /**
   * Stops the API server: ends all watches and timers, and closes the data file in the background.
   */
  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#controllers[Symbol.dispose]();
    this.#journal?.[Symbol.dispose]();
  }

  /**
   * Stops the API server: ends all watches and timers. Resolves once the data file is closed, and
   * another server may open it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#controllers[Symbol.dispose]();
    await this.#probes?.ended();
    await this.#journal?.close();
  }

  /**
   * Calls `answer`, and returns its response or throws its error once every write so far is on
   * disk: an error may disclose a write too, for instance that a name is taken.
   *
   * @throws {DataFileError} After the disk failed, since the writes in memory may never reach it.
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
    notes: AdmitNotes & AuditNotes,
    warnings: Set<string>,
  ): Promise<Response> {
    if (!isLongRunning(info)) checkTimeout(info.query);
    const user = this.#access.admit(request, info, peer, notes);
    if (notes.warning !== undefined) warnings.add(notes.warning);
    if (!info.isResource) return await this.#answerPath(request, info.path);
    if (!this.#table.serves(info.group, info.version)) {
      const extended = await this.#extensions.answer(request);
      if (extended) return extended;
    }
    const row = this.#table.find(info.group, info.version, info.resource);
    // For custom resources this warning precedes all other checks of the request.
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
      authorizeConnection: () => this.#demandConnection(info, user),
      warnings,
      notes,
    });
  }

  async #answerPath(request: Request, path: string): Promise<Response> {
    const [, , group = "", version = ""] = path.split("/");
    if (!this.#table.serves(group, version)) {
      const extended = await this.#extensions.answer(request);
      if (extended) return extended;
    }
    const asksItems = /^\/apis\/?$/.test(path) &&
      wantsAggregated(request.headers.get("accept") ?? "");
    const extensions = this.#extensions;
    const items = asksItems ? await extensions.items(request.signal) : [];
    const discovery = discoveryAnswer(request, this.#table, this.#facts, this.#log, {
      withGroups: (own) => extensions.inserted(own, extensions.groups()),
      withItems: (own) => extensions.inserted(own, items),
    });
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

  /**
   * Throws an error unless a user whose update would create the object may also create it.
   *
   * @throws {StatusError} 403
   */
  #demandCreate(info: RequestInfo, user: RequestUser): void {
    const asked = { ...info, user, verb: "create" };
    const { allowed, reason } = this.#access.authorize(asked);
    if (!allowed) throw forbiddenAccess(asked, reason);
  }

  /**
   * Throws an error unless a user who asks for a connection by GET, as a browser does for a
   * WebSocket, may also create the connection (`core/pod/rest/authorize.go`,
   * `ensureAuthorizedForVerb`).
   *
   * @throws {StatusError} 403
   */
  #demandConnection(info: RequestInfo, user: RequestUser): void {
    const { allowed, reason } = this.#access.authorize({ ...info, user, verb: "create" });
    if (!allowed) {
      throw forbidden({ group: info.group, resource: info.resource }, info.name, reason);
    }
  }

  /**
   * Returns a signal that aborts when the client of a request disconnects; for a watch, also when
   * the server stops or its data file fails.
   */
  #signalOf(request: Request, { verb }: RequestInfo): AbortSignal {
    if (verb !== "watch") return request.signal;
    const ends = [request.signal, this.#stop.signal];
    return AbortSignal.any(this.#journal ? [...ends, this.#journal.failed] : ends);
  }
}

/** The parts from which an API server is constructed. */
interface ServerParts {
  readonly options: ApiServerOptions;
  /** The default RBAC roles and bindings of every cluster: a JSON array per line. */
  readonly roles: string;
  readonly log: RevisionLog;
  /** The data file of the API server; `undefined` for a cluster in memory alone. */
  readonly journal: Journal | undefined;
  /** The stack of the API server's controllers, which ends them when it is disposed of. */
  readonly controllers: DisposableStack;
}

/**
 * Converts an error that a request handler threw to an error with a `Status`: a `StatusError` as it
 * is, 400 for an exhausted call stack, and 500 for any other error.
 */
function failureOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  if (isStackOverflow(error)) return nestedTooDeep();
  return internalError(errorText(error));
}
