import { DecodeError } from "../errors/decode_error.ts";
import { apiVersionOf, type GroupVersionKind } from "./discovery_resource.ts";
import type { CallOptions } from "../calls/options.ts";
import type { RestDoor } from "../calls/rest.ts";

const ROOT = "/openapi/v3";

/** An OpenAPI v3 document, as far as it is looked into here. */
export interface OpenApiDocument {
  /** The version of the format, as `3.0.0`. */
  readonly openapi: string;
  /** The calls, by path. */
  readonly paths?: Readonly<Record<string, unknown>>;
  /** What the calls take and give. */
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
  /** Whatever else there is. */
  readonly [field: string]: unknown;
}

/** A schema of an OpenAPI v3 document, as far as it is looked into here. */
export interface OpenApiSchema {
  /** The kinds of object that it is the schema of. */
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  /** Whatever else there is. */
  readonly [field: string]: unknown;
}

/** The OpenAPI v3 documents of a server: one for each group and version. */
export interface OpenApiClient {
  /** The groups and versions that have a document, by path: `apis/apps/v1`, `api/v1`. */
  paths(options?: CallOptions): Promise<ReadonlySet<string>>;

  /**
   * The document of a group and version, given as objects carry them (`apps/v1`, `v1`); `undefined`
   * when the server has none. It is always the current one: the index says by a hash whether the one
   * held is. It is shared by all who ask: treat it as read-only.
   */
  document(apiVersion: string, options?: CallOptions): Promise<OpenApiDocument | undefined>;

  /** The schema of a kind; `undefined` when the server has none. Shared as documents are. */
  schema(kind: GroupVersionKind, options?: CallOptions): Promise<OpenApiSchema | undefined>;
}

interface Index {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/**
 * The OpenAPI v3 documents of a server. They are held, one per group and version, once asked for.
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
export function openApiClient(door: RestDoor): OpenApiClient {
  return new CachedOpenApi(door);
}

class CachedOpenApi implements OpenApiClient {
  readonly #door: RestDoor;
  readonly #held = new Map<string, { readonly url: string; readonly document: OpenApiDocument }>();

  constructor(door: RestDoor) {
    this.#door = door;
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
    const document = await this.#door.requestJson<OpenApiDocument>({ ...options, ...target(url) });
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
    const index = await this.#door.requestJson<Index>({ ...options, path: ROOT });
    if (typeof index?.paths !== "object" || index.paths === null) {
      throw new DecodeError(`Cannot read the index of OpenAPI documents: ${ROOT} has no paths`);
    }
    return index.paths;
  }
}

/** Below the configured server, whatever prefix a proxy before the server has or puts in. */
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
