// Mirrors `pkg/handler3/handler.go, OpenAPIService` and `pkg/handler/handler.go, OpenAPIService`.
import { createHash } from "node:crypto";
import type { Clock } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { encodePieces } from "../machinery/byte_pieces.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { type DocumentPart, type DocumentV2, documentV2, textPieces } from "./document_v2.ts";
import { documentName, documentText, versionDocument } from "./document_v3.ts";
import { serverDocument, serverDocumentNames } from "./server_documents.ts";
import { definitionBytes, pathBytes, protobufPieces } from "./protobuf_v2.ts";

/**
 * The JSON text of an OpenAPI 3 document, built by {@linkcode Documents}, and the hash of the text.
 */
export interface Prepared {
  readonly text: string;
  /**
   * The SHA-512 hash of the OpenAPI 3 document's text in upper-case hexadecimal; in double quotes
   * it is the ETag.
   */
  readonly hash: string;
}

/**
 * The OpenAPI 2 document in serialized parts, built by {@linkcode Documents}, with the hash of its
 * JSON text.
 */
export interface PreparedV2 {
  readonly document: DocumentV2;
  /**
   * The SHA-512 hash of the OpenAPI 2 document's JSON text in upper-case hexadecimal; in double
   * quotes it is the ETag.
   */
  readonly hash: string;
}

/** An OpenAPI 3 document, and the resources that it describes. */
interface Described {
  readonly resources: readonly ApiResource[];
  readonly prepared: Prepared;
}

/**
 * A value that is built from the resource table at its first use, and again at the first use after
 * a change of the table or after a failed build.
 */
class BuiltFromTable<T> {
  readonly #table: ResourceTable;
  readonly #build: () => Promise<T>;
  /**
   * The last build, with the generation of the table when it began; `undefined` before the first
   * build and after a failure.
   */
  #last: { readonly generation: number; readonly value: Promise<T> } | undefined;

  constructor(table: ResourceTable, build: () => Promise<T>) {
    this.#table = table;
    this.#build = build;
  }

  /**
   * Returns the value for the current generation of the table; a build of that generation that runs
   * already is shared. Rejects with the error of the build.
   */
  get(): Promise<T> {
    const { generation } = this.#table;
    if (this.#last?.generation === generation) return this.#last.value;
    const last = { generation, value: this.#build() };
    this.#last = last;
    last.value.catch(() => {
      if (this.#last === last) this.#last = undefined;
    });
    return last.value;
  }
}

/**
 * The OpenAPI documents of a resource table. Each is built on demand, again after its resources
 * changed, and in slices between which other work may run.
 */
export class Documents {
  readonly #table: ResourceTable;
  readonly #clock: Clock;
  /** The OpenAPI 3 documents by name, such as `apis/apps/v1`. */
  #versions = new Map<string, Described>();
  /** The OpenAPI 3 documents of paths without a group version, which never change. */
  readonly #paths = new Map<string, Prepared>();
  readonly #index: BuiltFromTable<string>;
  readonly #v2: BuiltFromTable<PreparedV2>;

  constructor(table: ResourceTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
    this.#index = new BuiltFromTable(table, () => this.#makeIndex());
    this.#v2 = new BuiltFromTable(table, () => this.#makeV2());
  }

  /**
   * Returns the index of OpenAPI 3 documents as JSON text. The index contains the hashes of all
   * documents, so that all are built.
   */
  index(): Promise<string> {
    return this.#index.get();
  }

  /**
   * Returns the OpenAPI 3 document of a group version; `undefined` if the group version is not
   * served.
   */
  async version(
    group: string,
    version: string,
    slice: TimeSlice = new TimeSlice(this.#clock),
  ): Promise<Prepared | undefined> {
    const name = documentName(group, version);
    const resources = this.#table.resourcesOf(group, version);
    const known = this.#versions.get(name);
    if (known && sameItems(known.resources, resources)) return known.prepared;
    const document = await inSlices(versionDocument(resources, group, version), slice);
    if (!document) return undefined;
    const prepared = await preparedOf(document, slice);
    this.#versions.set(name, { resources, prepared });
    return prepared;
  }

  /**
   * Returns the OpenAPI 3 document of a path without a group version, given without its first
   * slash; `undefined` if the server has no document of that name.
   */
  async path(
    name: string,
    slice: TimeSlice = new TimeSlice(this.#clock),
  ): Promise<Prepared | undefined> {
    let prepared = this.#paths.get(name);
    if (!prepared && serverDocumentNames(this.#table).includes(name)) {
      prepared = await preparedOf(await inSlices(serverDocument(name), slice), slice);
      this.#paths.set(name, prepared);
    }
    return prepared;
  }

  /**
   * Returns the OpenAPI 2 document of all served resources; it is built again only after the
   * resource table has changed, or after a failed build.
   */
  v2(): Promise<PreparedV2> {
    return this.#v2.get();
  }

  /**
   * Returns the OpenAPI 2 document in protobuf, as pieces in order, and the hash of its JSON text.
   */
  async v2Protobuf(): Promise<{ readonly pieces: readonly Uint8Array[]; readonly hash: string }> {
    const { document: { head, paths, definitions }, hash } = await this.v2();
    const slice = new TimeSlice(this.#clock);
    const pieces = protobufPieces(
      head,
      await bytesOf(paths, pathBytes, slice),
      await bytesOf(definitions, definitionBytes, slice),
    );
    return { pieces, hash };
  }

  async #makeIndex(): Promise<string> {
    const slice = new TimeSlice(this.#clock);
    const paths: Record<string, JsonObject> = {};
    const add = (name: string, { hash }: Prepared): void => {
      paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
    };
    for (const name of serverDocumentNames(this.#table)) {
      add(name, (await this.path(name, slice))!);
    }
    const versions = new Map<string, Described>();
    for (const { group, versions: names } of this.#table.groups()) {
      for (const each of names) {
        if (slice.used) await slice.next();
        const made = await this.version(group, each, slice);
        if (made === undefined) continue; // The group version was removed meanwhile.
        const name = documentName(group, each);
        add(name, made);
        versions.set(name, this.#versions.get(name)!);
      }
    }
    this.#versions = versions; // Drops the documents that are no longer served.
    const sorted = Object.entries(paths).sort(([a], [b]) => a < b ? -1 : 1);
    return JSON.stringify({ paths: Object.fromEntries(sorted) });
  }

  async #makeV2(): Promise<PreparedV2> {
    const slice = new TimeSlice(this.#clock);
    const document = await documentV2(this.#table, slice);
    const hash = createHash("sha512");
    for (const piece of encodePieces(textPieces(document))) {
      if (slice.used) await slice.next();
      hash.update(piece);
    }
    return { document, hash: hash.digest("hex").toUpperCase() };
  }
}

async function preparedOf(document: JsonObject, slice: TimeSlice): Promise<Prepared> {
  const text = await inSlices(documentText(document), slice);
  return { text, hash: createHash("sha512").update(text).digest("hex").toUpperCase() };
}

/**
 * Runs a generator of the steps of building an OpenAPI document to its end, and yields to other
 * work between time slices.
 */
async function inSlices<T>(steps: Generator<void, T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.used) await slice.next();
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

async function bytesOf(
  parts: readonly DocumentPart[],
  write: (name: string, value: JsonObject) => Uint8Array,
  slice: TimeSlice,
): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (const part of parts) {
    if (slice.used) await slice.next();
    all.push(part.protobuf ??= write(part.name, JSON.parse(part.text)));
  }
  return all;
}
