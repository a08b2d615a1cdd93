// Mirrors `endpoints/handlers/responsewriters/writers.go, SerializeObject`.
import { jsonText } from "@xca/apimachinery/internal/values";
import { encodeProtobuf } from "../decode/protobuf/encode_protobuf.ts";
import { type Negotiated, PROTOBUF } from "./media_types.ts";
import { writeYaml } from "./write_yaml.ts";

/**
 * The size above which a response is compressed for clients that accept gzip: in bytes, or in
 * characters if the body is a text.
 */
const GZIP_BYTES = 128 * 1024;

/** The content of a response body: text or bytes of JSON, or an object. */
export type Content = string | Uint8Array | object;

/**
 * Returns a response whose body is encoded in the negotiated media type, and compressed by gzip if
 * it is large and `acceptEncoding`, the header of the request, accepts that. A negotiated
 * transformation is not applied.
 */
export function encodeAnswer(
  code: number,
  content: Content,
  { type, pretty }: Negotiated,
  acceptEncoding: string | null = null,
): Response {
  if (type === "protobuf") {
    const bytes = encodeProtobuf(toTree(content) as Record<string, unknown>);
    return answer(code, bytes, PROTOBUF, acceptEncoding);
  }
  if (type === "yaml") return answer(code, toYaml(content), "application/yaml", acceptEncoding);
  if (pretty) {
    const text = JSON.stringify(toTree(content), null, 2);
    return answer(code, text, "application/json", acceptEncoding);
  }
  return answer(code, jsonLine(content), "application/json", acceptEncoding);
}

/**
 * Returns the JSON of a response's content with a final newline, as Go's encoder writes JSON that
 * is not indented.
 */
function jsonLine(content: Content): string | Uint8Array {
  if (content instanceof Uint8Array) {
    const line = new Uint8Array(content.length + 1);
    line.set(content);
    line[content.length] = NEWLINE;
    return line;
  }
  return `${typeof content === "string" ? content : jsonText(content)}\n`;
}

const NEWLINE = 0x0a;

function answer(
  code: number,
  body: string | Uint8Array,
  contentType: string,
  acceptEncoding: string | null,
): Response {
  const headers: Record<string, string> = {
    "Content-Type": contentType,
    "Cache-Control": "no-cache, private",
  };
  if (body.length <= GZIP_BYTES || !acceptsGzip(acceptEncoding)) {
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    // A body of known length is sent in one piece.
    headers["Content-Length"] = String(bytes.length);
    return new Response(bytes as BodyInit, { status: sendable(code), headers });
  }
  headers["Content-Encoding"] = "gzip";
  headers["Vary"] = "Accept-Encoding";
  const compressed = new Blob([body as BlobPart]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { status: sendable(code), headers });
}

/**
 * Returns the HTTP status code of a response: the given code, or 500 for a code that a Response
 * cannot have. Webhooks may refuse with any code; an impossible one appears in the body only.
 */
function sendable(code: number): number {
  return Number.isInteger(code) && code >= 200 && code <= 599 ? code : 500;
}

const MEDIA_TYPES = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: PROTOBUF,
} as const;

/**
 * Returns a response with a body that is already encoded in the negotiated media type: bytes, or a
 * stream of chunks. For a client that accepts gzip, a stream is always compressed, and bytes are if
 * they are many.
 */
export function encodeBytes(
  body: Uint8Array | ReadableStream<Uint8Array>,
  { type }: Negotiated,
  acceptEncoding: string | null,
  code: number = 200,
): Response {
  const contentType = MEDIA_TYPES[type];
  if (body instanceof Uint8Array) return answer(code, body, contentType, acceptEncoding);
  const headers: Record<string, string> = {
    "Content-Type": contentType,
    "Cache-Control": "no-cache, private",
  };
  const status = sendable(code);
  if (!acceptsGzip(acceptEncoding)) return new Response(body, { status, headers });
  headers["Content-Encoding"] = "gzip";
  headers["Vary"] = "Accept-Encoding";
  const compressed = (body as ReadableStream<BufferSource>)
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { status, headers });
}

/**
 * Reports whether an `Accept-Encoding` header has the token `gzip`; a token with a quality does not
 * count.
 */
export function acceptsGzip(acceptEncoding: string | null): boolean {
  return acceptEncoding?.split(",").some((token) => token.trim() === "gzip") ?? false;
}

/** Returns the content of a response body as an object. */
function toTree(content: Content): unknown {
  if (typeof content === "string") return JSON.parse(content);
  return content instanceof Uint8Array ? JSON.parse(decoder.decode(content)) : content;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Returns the content of a response as YAML like kube-apiserver's; throws the errors of {@linkcode
 * writeYaml}.
 */
export function toYaml(content: Content): string {
  return writeYaml(toTree(content));
}
