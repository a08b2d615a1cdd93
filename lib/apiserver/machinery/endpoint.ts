// Mirrors `registry/rest/rest.go, NamedCreater`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "./registry.ts";
import type { RequestContext } from "./request_context.ts";
import type { ApiResource } from "./resource.ts";

type Context = RequestContext<ApiResource>;

/**
 * An endpoint of the API server that is not plain storage: a subresource (`pods/eviction`,
 * `deployments/scale`) or a resource that stores nothing (`subjectaccessreviews`). The caller
 * authorizes, decodes, checks and encodes; a PATCH is applied by `update`.
 */
export interface Endpoint {
  get?(context: Context, registry: Registry): ApiObject | Promise<ApiObject>;
  create?(body: ApiObject, context: Context, registry: Registry): ApiObject | Promise<ApiObject>;
  /**
   * Further versions in which `create` accepts a body of the endpoint's kind, such as
   * `policy/v1beta1` (`registry/rest/rest.go`, `GroupVersionAcceptor`).
   *
   * @default {[]}
   */
  readonly acceptedVersions?: readonly string[];
  /**
   * Writes the object that `change` returns for the endpoint's current object, and returns the
   * written object. `change` is called again after a concurrent write, and may throw a StatusError.
   */
  update?(
    change: (current: ApiObject) => ApiObject,
    context: Context,
    registry: Registry,
  ): ApiObject | Promise<ApiObject>;
  /** The connecter of an endpoint that opens connections to other servers, such as `pods/exec`. */
  readonly connecter?: Connecter;
  /**
   * Returns a response that is not an encoded object, such as a log, to every request that is not a
   * write with a function of its own; `get` is then not called.
   */
  respond?(request: Request, context: Context, registry: Registry): Response | Promise<Response>;
}

/** The options of a connection, such as `PodExecOptions`: an object without metadata. */
export interface ConnectOptions {
  readonly kind: string;
  readonly apiVersion: string;
  readonly [field: string]: unknown;
}

/**
 * The part of an endpoint that opens a connection to another server, which HTTP methods of all
 * kinds ask for (`registry/rest/rest.go`, `Connecter`). The caller runs admission on the options
 * before the connection is opened.
 */
export interface Connecter<Options extends ConnectOptions = ConnectOptions> {
  /**
   * Sets whether requests of all HTTP methods, not only POST, need the permission to create the
   * subresource.
   *
   * @default {false}
   */
  readonly needsCreate?: boolean;
  /**
   * Returns the options of a connection that a request states.
   *
   * @throws {StatusError} 400 if they are invalid.
   */
  options(request: Request, context: Context): Options;
  /**
   * Opens a connection with the admitted options, and returns the response of the other server.
   *
   * @throws {StatusError} If the connection cannot be opened.
   */
  connect(
    options: Options,
    request: Request,
    context: Context,
    registry: Registry,
  ): Response | Promise<Response>;
}

/**
 * The endpoints that are not plain storage, by their keys, such as `deployments/scale.apps` or
 * `pods/binding.`.
 */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Returns the key of an API endpoint in {@linkcode Endpoints}, such as `pods/binding.`. */
export function endpointKey(group: string, resource: string, subresource: string): string {
  return `${resource}${subresource === "" ? "" : `/${subresource}`}.${group}`;
}
