import { errorText } from "@xca/apimachinery/base";
import type { DebugQuery, DebugSource } from "./debug_source.ts";

/**
 * Returns the handler of `/debug`: the sections of all sources as one JSON object. `/debug/<name>`
 * is one section, and the parameters `controller` and `key` are passed to the sources as a
 * {@linkcode DebugQuery}. A source that fails is reported as `{ "error": ... }` and does not affect
 * the others; an unknown section is answered with 404.
 *
 * @throws {TypeError} When two sources have one name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { debugEndpoint } from "@xca/operator/manager";
 *
 * const endpoint = debugEndpoint([{ name: "lease", report: () => ({ leads: true }) }]);
 * const answer = await endpoint(new Request("https://localhost/debug"));
 * assert.deepEqual(await answer.json(), { lease: { leads: true } });
 * ```
 */
export function debugEndpoint(
  sources: readonly DebugSource[],
): (request: Request) => Promise<Response> {
  const byName = new Map(sources.map((source) => [source.name, source]));
  if (byName.size < sources.length) {
    const names = sources.map(({ name }) => name).join(", ");
    throw new TypeError(`Cannot serve /debug: two sources have one name, of ${names}`);
  }
  return (request) => Promise.resolve(answer(byName, new URL(request.url)));
}

function answer(sources: ReadonlyMap<string, DebugSource>, url: URL): Response {
  const query: DebugQuery = {
    controller: url.searchParams.get("controller") ?? undefined,
    key: url.searchParams.get("key") ?? undefined,
  };
  const name = url.pathname.replace(/^\/debug\/?/, "");
  if (name === "") {
    return json(
      Object.fromEntries([...sources].map(([name, source]) => [name, section(source, query)])),
    );
  }
  const source = sources.get(name);
  if (source) return json(section(source, query));
  const known = [...sources.keys()].join(", ");
  return json({ error: `/debug has no section ${name}; it has ${known || "none"}` }, 404);
}

/**
 * Returns the section of a debug source as a JSON value; `null` for `undefined`, and `{ error }` if
 * the source fails or JSON cannot represent its report.
 */
function section(source: DebugSource, query: DebugQuery): unknown {
  try {
    return JSON.parse(JSON.stringify(source.report(query)) ?? "null");
  } catch (error) {
    return { error: `Cannot report ${source.name}: ${errorText(error)}` };
  }
}

function json(value: unknown, status = 200): Response {
  const bytes = new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
  const headers = {
    "content-type": "application/json",
    "content-length": `${bytes.length}`,
    "x-content-type-options": "nosniff",
  };
  return new Response(bytes, { status, headers });
}
