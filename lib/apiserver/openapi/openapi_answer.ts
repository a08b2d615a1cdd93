import { createHash } from "node:crypto";
import type { JsonObject } from "../machinery/api_object.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { documentV2 } from "./document_v2.ts";
import { PROTOBUF_V2, PROTOBUF_V2_ASKED, protobufV2 } from "./protobuf_v2.ts";
import { documentName, versionDocument } from "./document_v3.ts";

/** A document as it goes over the wire. */
interface Prepared {
  readonly text: string;
  /** The hash of the text, which is its version. */
  readonly hash: string;
}

/** The documents of one state of the table, each made when it is asked for. */
class Documents {
  readonly #table: ResourceTable;
  readonly #versions = new Map<string, Prepared>();
  readonly generation: number;
  #index: string | undefined;
  #v2: Prepared | undefined;
  #protobuf: Uint8Array<ArrayBuffer> | undefined;

  constructor(table: ResourceTable) {
    this.#table = table;
    this.generation = table.generation;
  }

  /** The index names each document with its hash, so all are made for it. */
  index(): string {
    if (this.#index !== undefined) return this.#index;
    const paths: JsonObject = {};
    for (const { group, versions } of this.#table.groups()) {
      for (const version of versions) {
        const name = documentName(group, version);
        const hash = this.version(group, version)!.hash;
        paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
      }
    }
    return this.#index = JSON.stringify({ paths });
  }

  version(group: string, version: string): Prepared | undefined {
    const name = documentName(group, version);
    const known = this.#versions.get(name);
    if (known) return known;
    const document = versionDocument(this.#table, group, version);
    if (!document) return undefined;
    const prepared = prepare(document);
    this.#versions.set(name, prepared);
    return prepared;
  }

  v2(): Prepared {
    return this.#v2 ??= prepare(documentV2(this.#table));
  }

  /** The same in protobuf. */
  v2Protobuf(): Uint8Array<ArrayBuffer> {
    return this.#protobuf ??= protobufV2(JSON.parse(this.v2().text));
  }
}

function prepare(document: JsonObject): Prepared {
  const text = JSON.stringify(document);
  return { text, hash: createHash("sha512").update(text).digest("hex").toUpperCase() };
}

const prepared = new WeakMap<ResourceTable, Documents>();

function documentsOf(table: ResourceTable): Documents {
  const known = prepared.get(table);
  if (known?.generation === table.generation) return known;
  const made = new Documents(table);
  prepared.set(table, made);
  return made;
}

/**
 * Answers `/openapi/v2`, `/openapi/v3` and the documents below it, in JSON; `undefined` for other
 * paths.
 */
export function openApiAnswer(request: Request, table: ResourceTable): Response | undefined {
  const url = new URL(request.url);
  const documents = documentsOf(table);
  if (url.pathname === "/openapi/v3") {
    return new Response(documents.index(), {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-cache, private",
      },
    });
  }
  if (url.pathname === "/openapi/v2") {
    const accept = request.headers.get("accept") ?? "";
    return accept.includes(PROTOBUF_V2_ASKED)
      ? protobuf(documents)
      : document(request, url, documents.v2());
  }
  const match = /^\/openapi\/v3\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(url.pathname);
  if (match) {
    const found = documents.version(match[1] ?? "", match[2]!);
    return found ? document(request, url, found) : new Response(null, { status: 404 });
  }
  return url.pathname.startsWith("/openapi/v3/") ? new Response(null, { status: 404 }) : undefined;
}

function protobuf(documents: Documents): Response {
  return new Response(documents.v2Protobuf(), {
    headers: {
      "Content-Type": PROTOBUF_V2,
      ETag: `"${documents.v2().hash}"`,
      Vary: "Accept-Encoding, Accept",
      "Cache-Control": "no-cache, private",
    },
  });
}

function document(request: Request, url: URL, { text, hash }: Prepared): Response {
  if (!acceptsJson(request.headers.get("accept") ?? "")) return new Response(null, { status: 406 });
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
  return new Response(text, { headers });
}

function acceptsJson(accept: string): boolean {
  if (accept === "") return true;
  return accept.split(",").some((clause) =>
    /^(application\/(json|\*)|\*\/\*)$/.test(clause.split(";", 1)[0]!.trim())
  );
}
