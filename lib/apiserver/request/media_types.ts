// Mirrors `endpoints/handlers/negotiation/negotiate.go, NegotiateOutputMediaType`.
import type { ApiResource } from "../machinery/resource.ts";
import { notAcceptable, StatusError } from "@xca/apimachinery/internal/errors";

/** A form into which objects of a response are converted (`Table`, `PartialObjectMetadata`). */
export interface Transformation {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** The API version of the transformation: `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`. */
  readonly apiVersion: string;
}

/**
 * The form of a response body that {@linkcode negotiate} chose: media type, indentation and
 * transformation.
 */
export interface Negotiated {
  readonly type: "json" | "yaml" | "protobuf";
  /** Reports whether the response's JSON is indented; without effect in other media types. */
  readonly pretty: boolean;
  readonly as: Transformation | undefined;
}

/** A clause of an `Accept` header: a media type with parameters and a quality. */
interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The media type of API objects in protobuf. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";
const WRITTEN_TYPES = {
  "application/json": "json",
  "application/yaml": "yaml",
  [PROTOBUF]: "protobuf",
} as const;
/** The media types that the server can write objects in. */
const TYPES = Object.keys(WRITTEN_TYPES);
/**
 * The media types that the server can stream watches in, as the messages of 406 errors name them.
 */
export const STREAM_TYPES: readonly string[] = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
];
/** The subresources whose responses are those of other servers. */
const FORWARDED = new Set(["attach", "exec", "portforward", "proxy"]);

/** The subresources that can be shown as tables; the empty name is the object itself. */
const TABLED: ReadonlySet<string> = new Set(["", "status", "scale"]);

/**
 * Reports whether a resource can be shown as a table. Resources that can only be created, such as
 * reviews, cannot.
 */
function isTabled(resource: ApiResource | undefined, subresource: string): boolean {
  return TABLED.has(subresource) && (resource === undefined || resource.verbs.includes("get"));
}
const PLAIN: Negotiated = { type: "json", pretty: false, as: undefined };

/**
 * Returns the form of a response body that the `Accept` header and the query ask for
 * (`negotiation.NegotiateOutputMediaType`). `stream` is true for a watch; `subresource` names the
 * requested subresource. Custom objects have no protobuf form; responses of other servers, such as
 * those of `exec`, are not negotiated.
 *
 * @throws {StatusError} 406 if no accepted form is available.
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
  if (!custom && FORWARDED.has(subresource)) return PLAIN;
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

/**
 * Returns the media type and indentation of a response that is never transformed, such as an error;
 * JSON without an `Accept` header; `undefined` if the client accepts none that the server can
 * write.
 */
export function negotiatePlain(headers: Headers, query: URLSearchParams): Negotiated | undefined {
  const pretty = isPretty(headers, query);
  const accept = headers.get("accept") ?? "";
  if (accept === "") return { ...PLAIN, pretty };
  return choose(parseAccept(accept), pretty, (_, as) => as === undefined);
}

/** A kind that a client may ask for in an `Accept` header, as `as=Statusz;v=v1beta1;g=...`. */
interface RecognizedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Returns the form of a response that is text, or an object of one of `kinds` in JSON or YAML:
 * `"text"`, or the media type and the version of the kind; `undefined` if the client accepts
 * neither, or names no media type.
 */
export function negotiateKinds(
  headers: Headers,
  query: URLSearchParams,
  kinds: readonly RecognizedKind[],
): "text" | Pick<Negotiated, "type" | "pretty"> & { readonly version: string } | undefined {
  const pretty = isPretty(headers, query);
  for (const clause of parseAccept(headers.get("accept") ?? "")) {
    const [as, g, v] = ["as", "g", "v"].map((name) => clause.parameters.get(name));
    const isPlain = as === undefined && g === undefined && v === undefined;
    const found = kinds.find((each) => each.kind === as && each.group === g && each.version === v);
    for (const type of ["json", "yaml"] as const) {
      if (!found || !covers(clause, `application/${type}`)) continue;
      const { version } = found;
      return { type, pretty: pretty || clause.parameters.get("pretty") === "1", version };
    }
    if (isPlain && covers(clause, "text/plain")) return "text";
  }
  return undefined;
}

/**
 * Returns the form of a response body by the first clause of an `Accept` header that the server can
 * serve; `undefined` if it can serve none. `allows` reports whether a media type and a
 * transformation may be used together. Objects are stored as JSON, so that a client that accepts
 * both gets JSON even if it prefers protobuf. Metadata is encoded for each response in any case and
 * follows the client's order, since Go clients depend on it.
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

/**
 * Returns the 406 error of kube-apiserver's router about an `Accept` header without a supported
 * media type.
 */
function noRepresentation(types: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message, {});
}

function covers({ type, subtype }: Clause, mediaType: string): boolean {
  if (type === "*" && subtype === "*") return true;
  return mediaType === `${type}/${subtype}` ||
    (subtype === "*" && mediaType.startsWith(`${type}/`));
}

/**
 * Returns the transformation (Table, PartialObjectMetadata) that a clause of an `Accept` header
 * asks for: `undefined` without one, `"none"` for one that does not exist.
 */
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

/** Parses the clauses of an `Accept` header, sorted by quality and then by specificity. */
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

/**
 * Reports whether the JSON of a response is indented: by the query parameter `pretty`, or without
 * it for browsers, curl and Wget.
 */
function isPretty(headers: Headers, query: URLSearchParams): boolean {
  const asked = query.get("pretty") ?? "";
  if (asked !== "") return /^(1|t|true)$/i.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers.get("user-agent") ?? "");
}
