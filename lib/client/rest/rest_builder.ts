import { withoutUndefined } from "@xca/apimachinery/internal/base";
import { isPathSegment, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { expectEventObject } from "../typed/expected_answer.ts";
import { withIdentity } from "../typed/apply_call.ts";
import { encodePatch, type Patch } from "../typed/patch.ts";
import { checkPath } from "../calls/paths.ts";
import { pathOf, type RestTarget } from "./rest_builder_path.ts";
import { readWatch } from "./rest_builder_watch.ts";
import type { QueryValue, RestCalls, RestRequest } from "../calls/rest.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** The fields of a REST call that a builder has collected. */
interface Draft {
  readonly target: RestTarget;
  /**
   * The type of the call's resource; absent when the caller named the resource by its plural only.
   */
  readonly type?: ResourceType | undefined;
  /** The patch that is the body of the request; absent for a request with another body or none. */
  readonly patch?: Patch | undefined;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly headers: readonly (readonly [string, string])[];
  readonly rest: Omit<RestRequest, "path" | "query" | "headers">;
}

/**
 * A builder of REST calls, step by step: a verb, a resource, parameters, and one of {@linkcode
 * RestClient.do}, {@linkcode RestClient.text}, {@linkcode RestClient.watch} and {@linkcode
 * RestClient.stream}, which send it.
 *
 * Each step returns a new builder and leaves this one unchanged, so that a builder can be reused.
 * Parts of the path are checked at once: no name can change another segment of the URL.
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
  readonly #client: RestCalls;
  readonly #draft: Draft;

  private constructor(client: RestCalls, draft: Draft) {
    this.#client = client;
    this.#draft = draft;
  }

  /** Creates a builder of a GET request; see {@linkcode restClient}. */
  static over(client: RestCalls): RestClient {
    return new RestClient(client, { target: {}, query: {}, headers: [], rest: {} });
  }

  /** Returns a builder with the given HTTP method for the REST call. */
  verb(method: string): RestClient {
    return this.#rest({ method });
  }

  /**
   * Returns a builder with the HTTP method GET, which reads the named object, or lists the objects
   * of the resource.
   */
  get(): RestClient {
    return this.verb("GET");
  }

  /**
   * Returns a builder with the HTTP method POST, which creates the object of the {@linkcode
   * RestClient.body}.
   */
  post(): RestClient {
    return this.verb("POST");
  }

  /**
   * Returns a builder with the HTTP method PUT, which replaces the named object with the {@linkcode
   * RestClient.body}.
   */
  put(): RestClient {
    return this.verb("PUT");
  }

  /**
   * Returns a builder with the HTTP method PATCH, and the body and the media type of a patch.
   *
   * An apply also sets each of the parameters `fieldManager` and `force` that the patch has, and
   * keeps the other. The server refuses an apply without a field manager. Where the {@linkcode
   * RestClient.resource} is a type, the body of an apply to the object or its `status` gets
   * `apiVersion`, `kind` and `metadata.name` if it lacks them; the body for another subresource is
   * unchanged.
   *
   * @throws {TypeError} When a value of the patch has no form in JSON, or is an integer beyond
   * 2^53.
   */
  patch(patch: Patch): RestClient {
    const patched = this.#rest({ method: "PATCH", ...encodePatch(patch) }).#with({ patch });
    if (patch.type !== "apply") return patched;
    const { fieldManager, force } = patch;
    return patched.params({
      ...(fieldManager !== undefined && { fieldManager }),
      ...(force !== undefined && { force: force || undefined }),
    });
  }

  /**
   * Returns a builder with the HTTP method DELETE, which deletes the named object, or the selected
   * objects of the resource.
   */
  delete(): RestClient {
    return this.verb("DELETE");
  }

  /**
   * Returns a builder with the path of a call that is not to a resource, such as `/healthz`. The
   * call then fails with a TypeError if group, resource, namespace, name or subresource are set
   * too.
   *
   * @throws {TypeError} When the path is invalid; see {@linkcode RestRequest.path}.
   */
  path(path: string): RestClient {
    return this.#target({ path: checkPath(path) });
  }

  /**
   * Returns a builder with the API group and version of the call: `apps/v1`, or `v1` for the core
   * group.
   *
   * @throws {TypeError} When the text is not a group and version, or a version.
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
   * Returns a builder with the resource of the call: its type, which also sets group, version and
   * scope, or its plural, which leaves group and version unchanged and the scope unchecked.
   *
   * @throws {TypeError} When the group, version or plural cannot be a segment of a path.
   */
  resource(resource: string | ResourceType): RestClient {
    if (typeof resource === "string") {
      const plural = checkSegment("the resource", resource);
      return this.#with({ type: undefined }).#target({ plural, scope: undefined });
    }
    const { group, version, plural, scope } = resource;
    if (group !== "") checkSegment("the group", group);
    checkSegment("the version", version);
    checkSegment("the resource", plural);
    return this.#with({ type: resource }).#target({ group, version, plural, scope });
  }

  /**
   * Returns a builder with the namespace of the REST call.
   *
   * @throws {TypeError} When the namespace cannot be a segment of a path.
   */
  namespace(namespace: string): RestClient {
    return this.#target({ namespace: checkSegment("the namespace", namespace) });
  }

  /**
   * Returns a builder with the name of the object that the REST call is about.
   *
   * @throws {TypeError} When the name cannot be a segment of a path.
   */
  name(name: string): RestClient {
    return this.#target({ name: checkSegment("the name", name) });
  }

  /**
   * Returns a builder with the subresource of the call, such as `status`, and the path segments
   * after it, which `proxy` has.
   *
   * @throws {TypeError} When a text cannot be a segment of a path.
   */
  subresource(...segments: readonly [string, ...string[]]): RestClient {
    for (const segment of segments) checkSegment("the subresource", segment);
    return this.#target({ subresource: segments });
  }

  /**
   * Returns a builder with a query parameter of the REST call; `undefined` removes the parameter.
   */
  param(name: string, value: NonNullable<RestRequest["query"]>[string]): RestClient {
    return this.params({ [name]: value });
  }

  /**
   * Returns a builder with additional query parameters of the REST call. A parameter of a name that
   * is set already is replaced.
   */
  params(query: NonNullable<RestRequest["query"]>): RestClient {
    return this.#with({ query: { ...this.#draft.query, ...query } });
  }

  /** Returns a builder with the label selector of the REST call: `app=web,tier!=db`. */
  labelSelector(selector: string): RestClient {
    return this.param("labelSelector", selector);
  }

  /** Returns a builder with the field selector of the REST call: `metadata.name=web`. */
  fieldSelector(selector: string): RestClient {
    return this.param("fieldSelector", selector);
  }

  /**
   * Returns a builder with a request body, in place of that of a patch: text or bytes unchanged,
   * anything else as JSON. The media type is `contentType`, by default `application/json`.
   *
   * @default no body
   */
  body(body: unknown, contentType?: string): RestClient {
    return this.#rest({ body, contentType }).#with({ patch: undefined });
  }

  /**
   * Returns a builder with an additional header of the REST call. A repeated name adds another
   * value. `Accept` replaces that of the client; a watch then does not check the kind of objects.
   */
  header(name: string, value: string): RestClient {
    return this.#with({ headers: [...this.#draft.headers, [name, value]] });
  }

  /**
   * Returns a builder with the deadline of the REST call, retries included, in milliseconds; 0 is
   * no deadline.
   * @default {ClientConfig.requestTimeoutMs}, and none for a watch
   */
  timeout(timeoutMs: number): RestClient {
    return this.#rest({ timeoutMs });
  }

  /**
   * Returns a builder with the longest wait for a byte of the response body, in milliseconds; 0 is
   * no limit.
   *
   * @default {65_000}, and no limit for a watch
   */
  idleTimeout(idleTimeoutMs: number): RestClient {
    return this.#rest({ idleTimeoutMs });
  }

  /** Returns a builder with the signal that aborts the REST call. */
  signal(signal: AbortSignal | undefined): RestClient {
    return this.#rest({ signal });
  }

  /**
   * Returns a builder that sets whether the client repeats the REST call after failures; see
   * {@linkcode RestRequest.retry}.
   *
   * @default {true}
   */
  retry(retry: boolean): RestClient {
    return this.#rest({ retry });
  }

  /**
   * The built call as a request for {@linkcode RestCalls.request}.
   *
   * @throws {TypeError} When the parts do not form a path: a name without a resource, a namespace
   * for a cluster-scoped resource... And when a patch is of another kind than the resource.
   */
  get request(): RestRequest {
    const { target, query, headers, rest } = this.#draft;
    return { ...rest, ...this.#patchBody(), path: pathOf(target), query, headers };
  }

  /**
   * Returns the changed body of an apply and its media type: missing `apiVersion`, `kind` and
   * `metadata.name` are filled in from the resource and the name of the call. Returns an empty
   * object, which changes nothing, for other calls and for subresources other than `status`.
   *
   * @throws {TypeError} When a patch is of another kind or version than the resource.
   */
  #patchBody(): Pick<RestRequest, "body" | "contentType"> {
    const { type, patch, target } = this.#draft;
    const [subresource = "status", ...more] = target.subresource ?? [];
    if (!type || !patch || subresource !== "status" || more.length > 0) return {};
    const filled = withIdentity(type, target.name, patch);
    return filled === patch ? {} : encodePatch(filled);
  }

  /**
   * Sends the built call and returns the response body, parsed as JSON. Rejects like {@linkcode
   * RestCalls.requestJson}.
   *
   * @throws {ApiError} When the server refuses.
   * @throws {UnreachableError} When there is no connection.
   * @throws {TypeError} When the parts do not form a path.
   */
  async do<T = KubeObject>(): Promise<T> {
    return await this.#client.requestJson<T>(this.request);
  }

  /**
   * Sends the built call and returns the response body, of any length, as text, such as a log.
   * Rejects with an ApiError or UnreachableError like {@linkcode RestCalls.request}, with a
   * TypeError when the parts do not form a path, and with a StreamBrokenError or an
   * IdleTimeoutError when the body breaks off, which is not retried.
   */
  async text(): Promise<string> {
    const response = await this.#client.request(this.request);
    return await response.text();
  }

  /**
   * Sends the built call and returns the response body as a stream, which the caller reads or
   * cancels; empty for a response without a body. Rejects with an ApiError or UnreachableError like
   * {@linkcode RestCalls.request}, and with a TypeError when the parts do not form a path.
   */
  async stream(): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#client.request(this.request);
    return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  /**
   * Sends the built call as a watch and yields changes until the server ends the watch. Logs and
   * leaves out a line that cannot be decoded. Rejects also with an UnreachableError or a TypeError
   * like {@linkcode RestClient.do}, and with a StreamBrokenError when the connection breaks.
   *
   * @throws {ApiError} When the server refuses, or sends an error inside the stream.
   * @throws {DecodeError} When the response is not a watch, or the object of an event is of another
   * kind than the {@linkcode RestClient.resource}, if that is a type and no header requests others.
   * @throws {IdleTimeoutError} When no byte arrived for {@linkcode RestClient.idleTimeout}.
   * @throws {FrameTooLargeError} When an event is longer than 16 MiB.
   */
  async *watch<T extends KubeObject>(): AsyncIterableIterator<WatchEvent<T>> {
    const { query, ...request } = this.request;
    const what = `watch of ${request.path}`;
    const response = await this.#client.request({
      idleTimeoutMs: 0,
      timeoutMs: 0,
      ...withoutUndefined(request),
      path: request.path,
      query: { ...query, watch: true },
      what,
    });
    const { path } = request;
    yield* readWatch<T>(response, {
      path,
      wanted: `a ${what}`,
      expect: this.#expectEvent<T>(path),
    });
  }

  /**
   * Returns the function that checks the kind of an object in a watch and returns the object. It
   * checks nothing for a resource without a type, a subresource, or a call with an `Accept` header
   * of its own.
   */
  #expectEvent<T extends KubeObject>(path: string): (object: unknown) => T {
    const { type, target, headers } = this.#draft;
    const isOther = target.subresource !== undefined ||
      headers.some(([name]) => name.toLowerCase() === "accept");
    if (type === undefined || isOther) return (object) => object as T;
    return (object) => expectEventObject(object, type as ResourceType<T>, { path });
  }

  #target(more: RestTarget): RestClient {
    return this.#with({ target: { ...this.#draft.target, ...more } });
  }

  #rest(more: Draft["rest"]): RestClient {
    return this.#with({ rest: { ...this.#draft.rest, ...more } });
  }

  #with(more: Partial<Draft>): RestClient {
    return new RestClient(this.#client, { ...this.#draft, ...more });
  }
}

/**
 * Returns a builder of REST calls through a client, with its credentials, deadlines, retries and
 * errors.
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
export function restClient(client: RestCalls): RestClient {
  return RestClient.over(client);
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
