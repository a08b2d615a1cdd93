import { DecodeError } from "../errors/decode_error.ts";
import { apiVersionOf, type GroupVersionKind } from "./discovery_resource.ts";
import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectPlain } from "../typed/expected_answer.ts";

const ROOT = "/openapi/v3";

/** An OpenAPI v3 document; only some of its fields have types here. */
export interface OpenApiDocument {
  /** The version of the OpenAPI format, such as `3.0.0`. */
  readonly openapi: string;
  /** The operations of the OpenAPI document, by path. */
  readonly paths?: Readonly<Record<string, unknown>>;
  /** The components of the OpenAPI document: the schemas of its operations, by name. */
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
  /** The other fields of the OpenAPI document. */
  readonly [field: string]: unknown;
}

/** A schema of an OpenAPI v3 document; only some of its fields have types here. */
export interface OpenApiSchema {
  /** The Kubernetes kinds that the schema describes. */
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  /** The other fields of the OpenAPI schema. */
  readonly [field: string]: unknown;
}

/** The client for the OpenAPI v3 documents of a server, one per group and version. */
export interface OpenApiClient {
  /**
   * Returns the paths that have an OpenAPI document, most of them of groups and versions, such as
   * `apis/apps/v1` and `api/v1`.
   *
   * @throws {DecodeError} When the response is not an index of documents.
   */
  paths(options?: CallOptions): Promise<ReadonlySet<string>>;

  /**
   * Returns the OpenAPI document of a group and version (`apps/v1`, `v1`); `undefined` when the
   * server has none. The document is always current: each call requests the index of documents, and
   * uses a cached document only if its URL in the index, which contains a hash, is unchanged.
   * Callers share the document and must not change it.
   *
   * @throws {DecodeError} When a response is not an index of documents or a document.
   */
  document(apiVersion: string, options?: CallOptions): Promise<OpenApiDocument | undefined>;

  /**
   * Returns the OpenAPI schema of a kind; `undefined` when the server has none. Callers share the
   * schema and must not change it. Rejects with a DecodeError as {@linkcode OpenApiClient.document}
   * does.
   */
  schema(kind: GroupVersionKind, options?: CallOptions): Promise<OpenApiSchema | undefined>;
}

interface Index {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/**
 * Creates a client for the OpenAPI v3 documents of a client's server. Documents are cached per
 * group and version.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, openApiClient } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ paths: { "api/v1": { serverRelativeURL: "/openapi/v3/api/v1?hash=1" } } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const openApi = openApiClient(client);
 * assert.deepEqual([...await openApi.paths()], ["api/v1"]);
 * assert.equal(await openApi.document("example.org/v1"), undefined);
 * ```
 */
export function openApiClient(client: RestCalls): OpenApiClient {
  return new CachedOpenApi(client);
}

class CachedOpenApi implements OpenApiClient {
  readonly #client: RestCalls;
  readonly #held = new Map<string, { readonly url: string; readonly document: OpenApiDocument }>();

  constructor(client: RestCalls) {
    this.#client = client;
  }

  async paths(options: CallOptions = {}): Promise<ReadonlySet<string>> {
    return new Set(Object.keys(await this.#index(options)));
  }

  async document(
    apiVersion: string,
    options: CallOptions = {},
  ): Promise<OpenApiDocument | undefined> {
    const path = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const index = await this.#index(options);
    const url = Object.hasOwn(index, path) ? index[path]!.serverRelativeURL : undefined;
    if (url === undefined) {
      this.#held.delete(path);
      return undefined;
    }
    const held = this.#held.get(path);
    if (held?.url === url) return held.document;
    const call = target(url);
    const document = expectPlain<OpenApiDocument>(
      await this.#client.requestJson({ ...options, ...call }),
      { wanted: "an OpenAPI document", field: "openapi" },
      call,
    );
    this.#held.set(path, { url, document });
    return document;
  }

  async schema(
    kind: GroupVersionKind,
    options: CallOptions = {},
  ): Promise<OpenApiSchema | undefined> {
    const document = await this.document(apiVersionOf(kind.group, kind.version), options);
    return Object.values(document?.components?.schemas ?? {}).find((schema) =>
      schema["x-kubernetes-group-version-kind"]?.some((each) =>
        each.group === kind.group && each.version === kind.version && each.kind === kind.kind
      )
    );
  }

  async #index(options: CallOptions): Promise<NonNullable<Index["paths"]>> {
    const index = await this.#client.requestJson<Index>({ ...options, path: ROOT });
    if (typeof index?.paths !== "object" || index.paths === null) {
      throw new DecodeError(`Cannot read the index of OpenAPI documents: ${ROOT} has no paths`);
    }
    return index.paths;
  }
}

/**
 * Returns the path and query of an OpenAPI document below the configured server, from a URL of the
 * index without the path prefix that a proxy may have added.
 *
 * @throws {DecodeError} When the URL is not below `/openapi/v3`.
 */
function target(url: string): { readonly path: string; readonly query: Record<string, string> } {
  const { pathname, searchParams } = new URL(url, "http://server");
  const at = pathname.indexOf(`${ROOT}/`);
  if (at < 0) {
    throw new DecodeError(
      `Cannot fetch an OpenAPI document: the server gives ${JSON.stringify(url)} as its URL, ` +
        `which is not below ${ROOT}`,
    );
  }
  return { path: pathname.slice(at), query: Object.fromEntries(searchParams) };
}
