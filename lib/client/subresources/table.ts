import type { KubeObject, ListMeta, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import { isGone } from "../errors/api_error.ts";
import type { CallOptions, ListOptions } from "../calls/options.ts";
import { withoutCallOptions } from "../calls/query.ts";
import { expectArray, expectField } from "../typed/expected_answer.ts";
import { PAGE_SIZE } from "../typed/pager.ts";
import { PageTokens } from "../calls/page_tokens.ts";
import { objectPath, resourcePath } from "../calls/paths.ts";
import type { RestCalls, RestRequest } from "../calls/rest.ts";

const ACCEPT_TABLE = ["Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"] as const;

/** A row of a {@linkcode Table}: the cells of one object. */
export type TableRow = Table["rows"][number];

/** A table of objects as the server prints them for users (`meta.k8s.io/v1`, `Table`). */
export interface Table {
  /**
   * The list metadata of the table: resourceVersion and continue token; of {@linkcode listTable}
   * those of the last page.
   */
  readonly metadata: ListMeta;
  /** The columns of the table. */
  readonly columnDefinitions: readonly {
    /** The heading of the table column, such as `Name`. */
    readonly name: string;
    /** The type of the table column's cells, as in OpenAPI: `string`, `integer`, `date`... */
    readonly type: string;
    /**
     * The OpenAPI format of the column's type, such as `name` for the column with the name of the
     * object.
     */
    readonly format: string;
    /** The description of the table column. */
    readonly description: string;
    /**
     * The priority of the column: 0 is always shown, greater ones are left out first (`kubectl get
     * -o wide` shows them).
     */
    readonly priority: number;
  }[];
  /** The rows of the table, one per object. */
  readonly rows: readonly {
    /** The cells of the table row, one per column, in the order of the columns. */
    readonly cells: readonly unknown[];
    /** The conditions of the row's object, for instance that a pod is completed. */
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    /**
     * The object of the table row, or only its metadata, as `includeObject` requested; absent for
     * `None`.
     */
    readonly object?: KubeObject;
  }[];
}

/** Options of {@linkcode listTable}, which lists objects as a table. */
export type ListTableOptions = NonNullable<Parameters<typeof listTable>[2]>;

/**
 * Returns an object as a table of one row, as the server prints it for users.
 *
 * @throws {ApiError} Code 406 when the server has no tables of that resource.
 * @throws {DecodeError} When the response is not a table.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, getTable } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const rows = [{ cells: ["web-0", "1/1", "Running"] }];
 * const fetch = () => Promise.resolve(Response.json({ kind: "Table", metadata: {}, columnDefinitions: [], rows }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const table = await getTable(client, Pod, "default/web-0", { includeObject: "None" });
 * assert.equal(table.rows[0]?.cells[2], "Running");
 * ```
 */
export async function getTable(
  client: RestCalls,
  type: ResourceType,
  key: ObjectKey,
  options: CallOptions & {
    /** The part of each object that the rows of the table include. @default {"Metadata"} */
    readonly includeObject?: "None" | "Metadata" | "Object" | undefined;
  } = {},
): Promise<Table> {
  const { includeObject, ...call } = options;
  return await readTable(client, {
    ...call,
    path: objectPath(type, key),
    query: { includeObject },
  });
}

/**
 * Returns objects as the server prints them for users, all pages as one table, as `kubectl get`
 * does. When the version expires before the last page, the list is read again in one response.
 *
 * @throws {ApiError} Code 406 when the server has no tables of that resource.
 * @throws {DecodeError} When a response is not a table, or the server sends the same continue token
 * twice.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, listTable } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const rows = [{ cells: ["web-0", "1/1", "Running"] }, { cells: ["web-1", "0/1", "Pending"] }];
 * const fetch = () => Promise.resolve(Response.json({ kind: "Table", metadata: {}, columnDefinitions: [], rows }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const table = await listTable(client, Pod, { namespace: "default" });
 * assert.equal(table.rows.map(({ cells }) => cells.join("  "))[1], "web-1  0/1  Pending");
 * ```
 */
export async function listTable(
  client: RestCalls,
  type: ResourceType,
  options: ListOptions & {
    /** The part of each object that the rows of the table include. @default {"Metadata"} */
    readonly includeObject?: "None" | "Metadata" | "Object" | undefined;
  } = {},
): Promise<Table> {
  const { namespace, limit = PAGE_SIZE, ...others } = options;
  const { signal, timeoutMs, caller } = options;
  const query = withoutCallOptions(others);
  const call = { path: resourcePath(type, { namespace }), signal, timeoutMs, caller };
  const tokens = new PageTokens(`GET ${call.path}`);
  const first = await readTable(client, { ...call, query: { ...query, limit } });
  const rows = [...first.rows];
  let last = first;
  const { resourceVersion: _1, resourceVersionMatch: _2, ...following } = query;
  try {
    while (last.metadata.continue) {
      tokens.note(last.metadata.continue);
      const next = { ...following, limit, continue: last.metadata.continue };
      last = await readTable(client, { ...call, query: next });
      for (const row of last.rows) rows.push(row);
    }
  } catch (error) {
    if (!isGone(error)) throw error;
    // The version expired before the last page. A list that is read as a whole cannot expire.
    return await readTable(client, { ...call, query: { ...query } });
  }
  return { ...first, metadata: last.metadata, rows };
}

async function readTable(
  client: RestCalls,
  request: RestRequest,
): Promise<Table> {
  const answer = await client.requestJson({ ...request, headers: [ACCEPT_TABLE] });
  const wanted = (field: keyof Table) => ({ kind: "Table", field });
  return {
    metadata: expectField(answer, wanted("metadata"), request),
    columnDefinitions: expectArray(answer, wanted("columnDefinitions"), request),
    rows: expectArray<TableRow>(answer, wanted("rows"), request).map(withoutNull),
  };
}

/**
 * Returns a table row without the field `object` if that is `null`, which the server sends when the
 * object was not requested.
 */
function withoutNull({ object, ...row }: TableRow): TableRow {
  return object ? { ...row, object } : row;
}
