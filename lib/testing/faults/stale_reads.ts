import type { Fetch } from "../../client/transport/fetch.ts";
import { callFacts } from "./call_facts.ts";
import { checkNumber } from "../check_number.ts";
import type { Fault } from "./faults.ts";

/** The fields of a list response that the simulation of stale reads uses. */
interface ListBody {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly object[];
}

/**
 * Returns a fault of stale reads: lists at resourceVersion `""` or `"0"`, and watches that begin
 * with initial events (`sendInitialEvents`) at any version, get the objects as they were
 * `revisions` revisions ago, as from an API server with a lagging cache; later changes follow as
 * watch events. Other calls, including reads of one object and watches without initial events, get
 * current responses, as do all calls when the server no longer has a version that old.
 *
 * @throws {RangeError} When the number of revisions is not a whole number of at least 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { ApiServer, clientOf, staleReads, withFault } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "old" } });
 * await client.create(ConfigMap, { metadata: { name: "new" } });
 * using late = clientOf(server, { through: (fetch) => withFault(staleReads(1), fetch).fetch });
 * const { items } = await late.list(ConfigMap);
 * assert.deepEqual(items.map(({ metadata }) => metadata.name), ["old"]);
 * ```
 */
export function staleReads(revisions: number): Fault {
  checkNumber("staleReads: the number of revisions", revisions, { least: 0 });
  return async (request, next) => {
    const { verb } = callFacts(request);
    const url = new URL(request.url);
    if (verb === "list") return await staleList(request, next, url, revisions) ?? next(request);
    if (verb !== "watch" || url.searchParams.get("sendInitialEvents") !== "true") {
      return next(request);
    }
    return await staleWatch(request, next, url, revisions) ?? next(request);
  };
}

/**
 * Returns the response of a stale list, or the server's refusal of a current one; `undefined` when
 * the old version is not available, or the caller requests a particular version or a further page.
 */
async function staleList(
  request: Request,
  next: Fetch,
  url: URL,
  revisions: number,
): Promise<Response | undefined> {
  const asked = url.searchParams.get("resourceVersion") ?? "";
  if (!["", "0"].includes(asked) || url.searchParams.has("continue")) return undefined;
  const now = new URL(url);
  now.searchParams.set("limit", "1");
  now.searchParams.delete("resourceVersion");
  now.searchParams.delete("resourceVersionMatch");
  const answer = await next(at(now, request));
  if (!answer.ok) return answer;
  const { metadata } = await answer.json() as ListBody;
  const then = new URL(url);
  then.searchParams.set("resourceVersion", String(Number(metadata.resourceVersion) - revisions));
  then.searchParams.set("resourceVersionMatch", "Exact");
  const stale = await next(at(then, request));
  if (stale.ok) return stale;
  await stale.body?.cancel();
  return undefined;
}

/**
 * Returns the response of a stale watch: the old list as events, the bookmark after them, and a
 * watch from that version, whatever version the caller requests; or the server's refusal of one of
 * these calls. `undefined` when the old version is not available.
 */
async function staleWatch(
  request: Request,
  next: Fetch,
  url: URL,
  revisions: number,
): Promise<Response | undefined> {
  const list = new URL(url);
  for (const name of WATCH_ALONE) list.searchParams.delete(name);
  const listed = await staleList(request, next, list, revisions);
  if (!listed?.ok) return listed;
  const body = await listed.json() as ListBody;
  const { resourceVersion } = body.metadata;
  const rest = new URL(url);
  for (const name of ["sendInitialEvents", "resourceVersionMatch"]) rest.searchParams.delete(name);
  rest.searchParams.set("resourceVersion", resourceVersion);
  const watched = await next(at(rest, request));
  if (!watched.ok) return watched;
  const first = new TextEncoder().encode(initialEvents(body));
  const prepend = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(first),
  });
  return new Response(watched.body!.pipeThrough(prepend), {
    status: watched.status,
    headers: watched.headers,
  });
}

const WATCH_ALONE = [
  "watch",
  "sendInitialEvents",
  "allowWatchBookmarks",
  "timeoutSeconds",
  "resourceVersion",
  "resourceVersionMatch",
];

function initialEvents({ kind, apiVersion, metadata, items }: ListBody): string {
  const type = { kind: kind.replace(/List$/, ""), apiVersion };
  const annotations = { "k8s.io/initial-events-end": "true" };
  const end = { ...type, metadata: { resourceVersion: metadata.resourceVersion, annotations } };
  const events = [
    ...items.map((item) => ({ type: "ADDED", object: { ...type, ...item } })),
    { type: "BOOKMARK", object: end },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

function at(url: URL, request: Request): Request {
  return new Request(url, request);
}
