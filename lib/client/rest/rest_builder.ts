import { isPathSegment, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { encodePatch, type Patch } from "../typed/patch.ts";
import { checkPath } from "../calls/paths.ts";
import { pathOf, type RestTarget } from "./rest_builder_path.ts";
import { readWatch } from "./rest_builder_watch.ts";
import type { QueryValue, RestDoor, RestRequest } from "../calls/rest.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** What has been said so far. */
interface Draft {
  readonly target: RestTarget;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly headers: readonly (readonly [string, string])[];
  readonly rest: Omit<RestRequest, "path" | "query" | "headers">;
}

/**
 * Any call of the API, step by step: verb, resource, parameters, and then one of the ends
 * {@linkcode RestClient.do}, {@linkcode RestClient.text}, {@linkcode RestClient.watch},
 * {@linkcode RestClient.stream}.
 *
 * Each step returns a new one and leaves this one as it is, so that a beginning may be kept and gone on
 * from many times. Nothing is sent before an end. What names a part of the path is checked at once: no
 * name can leave its place in the URL.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, restClient } from "@xca/operator/client";
 *
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: (request) => Promise.resolve(Response.json({ asked: new URL(request.url).pathname })),
 * });
 * const apps = restClient(client).groupVersion("apps/v1").namespace("default");
 * const { asked } = await apps.get().resource("deployments").name("web").subresource("scale")
 *   .do<{ asked: string }>();
 * assert(asked === "/apis/apps/v1/namespaces/default/deployments/web/scale");
 * ```
 */
export class RestClient {
  readonly #door: RestDoor;
  readonly #draft: Draft;

  private constructor(door: RestDoor, draft: Draft) {
    this.#door = door;
    this.#draft = draft;
  }

  /** A builder that has been told nothing: a GET. What {@linkcode restClient} returns. */
  static over(door: RestDoor): RestClient {
    return new RestClient(door, { target: {}, query: {}, headers: [], rest: {} });
  }

  /** Any HTTP method. */
  verb(method: string): RestClient {
    return this.#rest({ method });
  }

  /** Reads: one object, or with no name all. */
  get(): RestClient {
    return this.verb("GET");
  }

  /** Creates the object of the {@linkcode RestClient.body}. */
  post(): RestClient {
    return this.verb("POST");
  }

  /** Replaces by the object of the {@linkcode RestClient.body}. */
  put(): RestClient {
    return this.verb("PUT");
  }

  /** Changes by a patch: the body, its media type, and of an apply what it names: the server
   * demands a field manager. */
  patch(patch: Patch): RestClient {
    const patched = this.#rest({ method: "PATCH", ...encodePatch(patch) });
    if (patch.type !== "apply") return patched;
    return patched.params({ fieldManager: patch.fieldManager, force: patch.force || undefined });
  }

  /** Deletes: one object, or with no name all that are selected. */
  delete(): RestClient {
    return this.verb("DELETE");
  }

  /**
   * A path outside of the resources, as `/healthz`.
   *
   * @throws {TypeError} When it is no path, see {@linkcode RestRequest.path}.
   */
  path(path: string): RestClient {
    return this.#target({ path: checkPath(path) });
  }

  /**
   * The group and version, as objects carry them: `apps/v1`, or `v1` of the core group.
   *
   * @throws {TypeError} When it is neither.
   * @default {"v1"}
   */
  groupVersion(apiVersion: string): RestClient {
    const parts = apiVersion.split("/");
    if (parts.length > 2) refuse("the group and version", apiVersion);
    const [group, version] = parts.length === 2 ? parts as [string, string] : ["", apiVersion];
    if (parts.length === 2) checkSegment("the group", group);
    return this.#target({ group, version: checkSegment("the version", version) });
  }

  /**
   * The resource: its plural, or its type, with which come group, version and scope.
   *
   * @throws {TypeError} When it cannot be a segment of a path.
   */
  resource(resource: string | ResourceType): RestClient {
    if (typeof resource === "string") {
      return this.#target({ plural: checkSegment("the resource", resource), scope: undefined });
    }
    const { group, version, plural, scope } = resource;
    if (group !== "") checkSegment("the group", group);
    checkSegment("the version", version);
    return this.#target({ group, version, plural: checkSegment("the resource", plural), scope });
  }

  /** The namespace. @throws {TypeError} When it cannot be a segment of a path. */
  namespace(namespace: string): RestClient {
    return this.#target({ namespace: checkSegment("the namespace", namespace) });
  }

  /** The object's name. @throws {TypeError} When it cannot be a segment of a path. */
  name(name: string): RestClient {
    return this.#target({ name: checkSegment("the name", name) });
  }

  /**
   * A part of the object, as `status`, and what lies below it, as of `proxy`.
   *
   * @throws {TypeError} When one cannot be a segment of a path.
   */
  subresource(...segments: readonly [string, ...string[]]): RestClient {
    for (const segment of segments) checkSegment("the subresource", segment);
    return this.#target({ subresource: segments });
  }

  /** One parameter of the query; `undefined` takes it back. */
  param(name: string, value: NonNullable<RestRequest["query"]>[string]): RestClient {
    return this.params({ [name]: value });
  }

  /** Parameters of the query. */
  params(query: NonNullable<RestRequest["query"]>): RestClient {
    return this.#with({ query: { ...this.#draft.query, ...query } });
  }

  /** Select by labels, as `app=web,tier!=db`. */
  labelSelector(selector: string): RestClient {
    return this.param("labelSelector", selector);
  }

  /** Select by fields, as `metadata.name=web`. */
  fieldSelector(selector: string): RestClient {
    return this.param("fieldSelector", selector);
  }

  /** The body: text or bytes as they are, anything else as JSON. @default no body */
  body(body: unknown, contentType?: string): RestClient {
    return this.#rest({ body, contentType });
  }

  /** One more header. The same name again is one more line of it. */
  header(name: string, value: string): RestClient {
    return this.#with({ headers: [...this.#draft.headers, [name, value]] });
  }

  /**
   * How long the whole call may take, retries included, in milliseconds.
   * @default {ClientConfig.requestTimeoutMs}, and none for a watch
   */
  timeout(timeoutMs: number): RestClient {
    return this.#rest({ timeoutMs });
  }

  /** After how many milliseconds without a byte the body is given up; 0 for never. */
  idleTimeout(idleTimeoutMs: number): RestClient {
    return this.#rest({ idleTimeoutMs });
  }

  /** What ends the call. */
  signal(signal: AbortSignal | undefined): RestClient {
    return this.#rest({ signal });
  }

  /** Whether refusals that may pass are tried again. @default {true} */
  retry(retry: boolean): RestClient {
    return this.#rest({ retry });
  }

  /**
   * The call as it stands, for {@linkcode RestDoor.request}.
   *
   * @throws {TypeError} When its parts make no path: a name without a resource, a namespace for a
   * cluster-scoped resource...
   */
  get request(): RestRequest {
    const { target, query, headers, rest } = this.#draft;
    return { ...rest, path: pathOf(target), query, headers };
  }

  /**
   * Sends it and parses the answer.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {TypeError} As {@linkcode RestClient.request}.
   */
  async do<T = KubeObject>(): Promise<T> {
    return await this.#door.requestJson<T>(this.request);
  }

  /** Sends it and reads the answer as text, as of a log. Rejects as {@linkcode RestClient.do}. */
  async text(): Promise<string> {
    const response = await this.#door.request(this.request);
    return await response.text();
  }

  /** Sends it and hands the answer's bytes on as they come. Rejects as {@linkcode RestClient.do}. */
  async stream(): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#door.request(this.request);
    return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  /**
   * Sends it as a watch and yields changes until the server ends it. A line that cannot be decoded is
   * logged and left out.
   *
   * @throws {ApiError} When the server refuses, or sends an error inside the stream.
   * @throws {IdleTimeoutError} When no byte came for {@linkcode RestClient.idleTimeout}.
   */
  async *watch<T extends KubeObject>(): AsyncIterableIterator<WatchEvent<T>> {
    const { query, ...request } = this.request;
    const what = `watch of ${request.path}`;
    const response = await this.#door.request({
      idleTimeoutMs: 0,
      timeoutMs: 0,
      ...defined(request),
      path: request.path,
      query: { ...query, watch: true },
      what,
    });
    yield* readWatch<T>(response, what);
  }

  #target(more: RestTarget): RestClient {
    return this.#with({ target: { ...this.#draft.target, ...more } });
  }

  #rest(more: Draft["rest"]): RestClient {
    return this.#with({ rest: { ...this.#draft.rest, ...more } });
  }

  #with(more: Partial<Draft>): RestClient {
    return new RestClient(this.#door, { ...this.#draft, ...more });
  }
}

/**
 * Calls built step by step over a client, with its credentials, deadlines, retries and errors.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, restClient } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const pod = await restClient(client).groupVersion("v1").namespace("default")
 *   .get().resource("pods").name("web").do<{ metadata: { name: string } }>();
 * assert.equal(pod.metadata.name, "web");
 * ```
 */
export function restClient(door: RestDoor): RestClient {
  return RestClient.over(door);
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

function checkSegment(what: string, text: string): string {
  return isPathSegment(text) ? text : refuse(what, text);
}

function refuse(what: string, text: string): never {
  throw new TypeError(
    `Cannot build a request: ${what} must be a single path segment (not empty, not "." or "..", ` +
      `without "/" or "%"): current value is ${JSON.stringify(text)}`,
  );
}
