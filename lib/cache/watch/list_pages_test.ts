import assert from "node:assert/strict";
import { ApiError } from "../../client/errors/api_error.ts";
import type { ListQuery } from "../../client/calls/list_query.ts";
import type { ListerWatcher } from "./list_watch.ts";
import { listPages } from "./list_pages.ts";

/**
 * Returns a fake server that answers a list with three pages at `version`; the page `expires`
 * expires.
 */
function server(version: string, expires?: string): { queries: ListQuery[]; from: ListerWatcher } {
  const queries: ListQuery[] = [];
  const from: ListerWatcher = {
    list: (query) => {
      queries.push(query);
      const page = Number(query.continue ?? 0);
      if (query.continue !== undefined && query.continue === expires) {
        return Promise.reject(new ApiError({ status: { code: 410, reason: "Expired" } }));
      }
      const more = query.limit && page < 2 ? { continue: `${page + 1}` } : {};
      return Promise.resolve({ metadata: { resourceVersion: version, ...more } });
    },
    watch: () => Promise.reject(new Error("no watch here")),
  };
  return { queries, from };
}

async function list(
  from: ListerWatcher,
  resourceVersion: string,
  pageSize: number,
): Promise<string> {
  const { signal } = new AbortController();
  const nothing = (): void => {};
  const options = { resourceVersion, pageSize, onItems: nothing, onRestart: nothing, signal };
  return (await listPages(from, options)).resourceVersion;
}

Deno.test("listPages() at a known version requests pages that are not older, not of exactly that version", async () => {
  const { queries, from } = server("9");
  assert.equal(await list(from, "7", 10), "9");
  assert.deepEqual(queries, [
    { resourceVersion: "7", resourceVersionMatch: "NotOlderThan", limit: 10 },
    { continue: "1", limit: 10 },
    { continue: "2", limit: 10 },
  ]);
});

Deno.test("listPages() sends no match where servers refuse it or need none", async () => {
  for (
    const [resourceVersion, pageSize, first] of [
      ["", 10, { resourceVersion: "", limit: 10 }],
      ["0", 10, { resourceVersion: "0", limit: 10 }],
      ["7", 0, { resourceVersion: "7" }],
    ] as const
  ) {
    const { queries, from } = server("9");
    await list(from, resourceVersion, pageSize);
    assert.deepEqual(queries[0], first);
  }
});

Deno.test("listPages() lists everything in one page when the version expires between two pages", async () => {
  const { queries, from } = server("9", "2");
  assert.equal(await list(from, "7", 10), "9");
  assert.deepEqual(queries.at(-1), { resourceVersion: "7" });
});
