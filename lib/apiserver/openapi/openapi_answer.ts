// Mirrors `pkg/handler3/handler.go, OpenAPIService.HandleGroupVersion`.
import type { Clock } from "@xca/apimachinery/base";
import { encodePieces, streamPieces } from "../machinery/byte_pieces.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { textPieces } from "./document_v2.ts";
import { Documents } from "./documents.ts";
import { PROTOBUF_V2, PROTOBUF_V2_ASKED } from "./protobuf_v2.ts";

/** The path prefix of OpenAPI 3 documents. */
const BELOW = "/openapi/v3/";

const known = new WeakMap<ResourceTable, Documents>();

function documentsOf(table: ResourceTable, clock: Clock): Documents {
  let documents = known.get(table);
  if (documents === undefined) known.set(table, documents = new Documents(table, clock));
  return documents;
}

/**
 * Returns the response to a request for an OpenAPI document (`/openapi/v2`, `/openapi/v3` and the
 * paths below it), in JSON, or `/openapi/v2` in protobuf; `undefined` for other paths. An unknown
 * document gives 404; for a JSON document other than the index `/openapi/v3`, an `Accept` header
 * without JSON gives 406, an outdated `hash` 301, and a known ETag 304, all without a body.
 */
export async function openApiAnswer(
  request: Request,
  table: ResourceTable,
  clock: Clock,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  const documents = documentsOf(table, clock);
  if (url.pathname === "/openapi/v3") {
    return new Response(await documents.index(), {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-cache, private",
      },
    });
  }
  if (url.pathname === "/openapi/v2") {
    const accept = request.headers.get("accept") ?? "";
    if (accept.includes(PROTOBUF_V2_ASKED)) return await protobuf(documents);
    const { document: made, hash } = await documents.v2();
    return document(request, url, hash, () => streamPieces(encodePieces(textPieces(made))));
  }
  if (!url.pathname.startsWith(BELOW)) return undefined;
  const name = url.pathname.slice(BELOW.length);
  const match = /^(?:api|apis\/([^/]+))\/([^/]+)$/.exec(name);
  const found = match
    ? await documents.version(match[1] ?? "", match[2]!)
    : await documents.path(name);
  return found ? document(request, url, found.hash, () => found.text) : withoutBody(404);
}

async function protobuf(documents: Documents): Promise<Response> {
  const { pieces, hash } = await documents.v2Protobuf();
  return new Response(streamPieces(pieces), {
    headers: {
      "Content-Type": PROTOBUF_V2,
      ETag: `"${hash}"`,
      Vary: "Accept-Encoding, Accept",
      "Cache-Control": "no-cache, private",
    },
  });
}

function withoutBody(status: number): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-cache, private" } });
}

function document(
  request: Request,
  url: URL,
  hash: string,
  body: () => BodyInit,
): Response {
  if (!acceptsJson(request.headers.get("accept") ?? "")) return withoutBody(406);
  const etag = `"${hash}"`;
  const asked = url.searchParams.get("hash");
  if (asked !== null && asked !== hash) {
    url.searchParams.set("hash", hash);
    return new Response(null, {
      status: 301,
      headers: { Location: `${url.pathname}?hash=${hash}` },
    });
  }
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    ETag: etag,
    Vary: "Accept-Encoding, Accept",
    "Cache-Control": asked === hash ? "public, immutable" : "no-cache, private",
  };
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body(), { headers });
}

function acceptsJson(accept: string): boolean {
  if (accept === "") return true;
  return accept.split(",").some((clause) =>
    /^(application\/(json|\*)|\*\/\*)$/.test(clause.split(";", 1)[0]!.trim())
  );
}
