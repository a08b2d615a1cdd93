import type { ApiResource } from "../machinery/resource.ts";
import { notAcceptable, StatusError } from "@xca/apimachinery/internal/errors";

/** What an object is turned into before it goes over the wire. */
export interface Transformation {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly apiVersion: string;
}

/** How an answer is to be written. */
export interface Negotiated {
  readonly type: "json" | "yaml" | "protobuf";
  /** Indented, for people. */
  readonly pretty: boolean;
  readonly as: Transformation | undefined;
}

/** One clause of an `Accept` header. */
interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The media type of objects in protobuf. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";
const WRITTEN_TYPES = {
  "application/json": "json",
  "application/yaml": "yaml",
  [PROTOBUF]: "protobuf",
} as const;
/** Those that the real server knows. */
const TYPES = Object.keys(WRITTEN_TYPES);
/** The media types of watches. */
export const STREAM_TYPES: readonly string[] = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];
/** The object itself and the parts of it that are shown as tables. */
const TABLED: ReadonlySet<string> = new Set(["", "status", "scale"]);

/** Reports whether there are tables of something: what can only be created, such as a review, has none. */
function isTabled(resource: ApiResource | undefined, subresource: string): boolean {
  return TABLED.has(subresource) && (resource === undefined || resource.verbs.includes("get"));
}
const PLAIN: Negotiated = { type: "json", pretty: false, as: undefined };

/**
 * Chooses how to answer. `stream`: the answer is a watch; `subresource`: what is asked for of the object.
 * @throws {StatusError} 406 when nothing that the caller accepts can be had.
 */
export function negotiate(
  headers: Headers,
  query: URLSearchParams,
  resource: ApiResource | undefined,
  stream: boolean,
  subresource = "",
): Negotiated {
  const accept = headers.get("accept") ?? "";
  const pretty = isPretty(headers, query);
  if (accept === "" || accept === "*/*" || accept === "application/json") {
    return pretty ? { ...PLAIN, pretty } : PLAIN;
  }
  const clauses = parseAccept(accept);
  const custom = resource?.customResourceDefinition !== undefined;
  if (!custom && !clauses.some((clause) => TYPES.some((type) => covers(clause, type)))) {
    throw noRepresentation(stream ? [...TYPES, ...STREAM_TYPES] : TYPES);
  }
  const chosen = choose(
    clauses,
    pretty,
    (type, as) =>
      type === "protobuf"
        ? as ? as.kind !== "Table" : !custom
        : as?.kind !== "Table" || isTabled(resource, subresource),
  );
  if (chosen) return chosen;
  throw notAcceptable(stream ? STREAM_TYPES : TYPES);
}

/** Chooses how to write what has one form alone, as a refusal has; `undefined` when none is accepted. */
export function negotiatePlain(headers: Headers, query: URLSearchParams): Negotiated | undefined {
  const pretty = isPretty(headers, query);
  const accept = headers.get("accept") ?? "";
  if (accept === "") return { ...PLAIN, pretty };
  return choose(parseAccept(accept), pretty, (_, as) => as === undefined);
}

/**
 * The first clause that can be had; `allows`: whether what it turns the object into can be. Objects are
 * stored as JSON, so that whoever accepts both gets no protobuf; but metadata, which is written anew in
 * any form, comes in the one that is named first: Go's clients see a difference.
 */
function choose(
  clauses: readonly Clause[],
  pretty: boolean,
  allows: (type: Negotiated["type"], as: Transformation | undefined) => boolean,
): Negotiated | undefined {
  let lastResort: Negotiated | undefined;
  for (const clause of clauses) {
    for (const [media, type] of Object.entries(WRITTEN_TYPES)) {
      if (!covers(clause, media)) continue;
      const as = transformation(clause);
      if (as === "none" || !allows(type, as)) continue;
      const found = { type, pretty: pretty || clause.parameters.get("pretty") === "1", as };
      if (type !== "protobuf" || as) return found;
      lastResort ??= found;
    }
  }
  return lastResort;
}

/** Refused before the resource has a say: the words of the real server's router. */
function noRepresentation(types: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message, {});
}

function covers({ type, subtype }: Clause, mediaType: string): boolean {
  if (type === "*" && subtype === "*") return true;
  return mediaType === `${type}/${subtype}` ||
    (subtype === "*" && mediaType.startsWith(`${type}/`));
}

/** `"none"`: the clause asks for something that there is not. */
function transformation({ parameters }: Clause): Transformation | undefined | "none" {
  const kind = parameters.get("as");
  const group = parameters.get("g");
  const version = parameters.get("v");
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return "none";
  if (
    kind !== "Table" && kind !== "PartialObjectMetadata" && kind !== "PartialObjectMetadataList"
  ) return "none";
  return { kind, apiVersion: `${group}/${version}` };
}

/** The clauses, those of higher quality first, then the less general ones. */
function parseAccept(accept: string): Clause[] {
  const generality = ({ type, subtype }: Clause): number =>
    type === "*" ? 2 : subtype === "*" ? 1 : 0;
  return accept.split(",").map(parseClause).filter((clause) => clause !== undefined)
    .sort((a, b) => b.quality - a.quality || generality(a) - generality(b));
}

function parseClause(text: string): Clause | undefined {
  const [media = "", ...rest] = text.trim().split(";");
  const [type = "", subtype = type === "*" ? "*" : ""] = media.trim().split("/");
  if (type === "") return undefined;
  const parameters = new Map(
    rest.map((part) => {
      const [name = "", value = ""] = part.split("=", 2);
      return [name.trim(), value.trim()] as const;
    }),
  );
  const quality = Number(parameters.get("q") ?? 1);
  return { type, subtype, parameters, quality: Number.isFinite(quality) ? quality : 1 };
}

/** Asked for, or a browser or a tool for people. */
function isPretty(headers: Headers, query: URLSearchParams): boolean {
  const asked = query.get("pretty") ?? "";
  if (asked !== "") return /^(1|t|true)$/i.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers.get("user-agent") ?? "");
}
