import { dump } from "js-yaml";
import { encodeProtobuf } from "../decode/protobuf/encode_protobuf.ts";
import { type Negotiated, PROTOBUF } from "./media_types.ts";

/** From this length on an answer is compressed for those who ask for it, in bytes. */
const GZIP_BYTES = 128 * 1024;

/** What is written: a text or bytes of JSON, or a tree. */
export type Content = string | Uint8Array | object;

/** Writes an answer as it was negotiated. */
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

/** JSON that is not written for people ends with a newline, as all that Go's encoder writes. */
function jsonLine(content: Content): string | Uint8Array {
  if (content instanceof Uint8Array) {
    const line = new Uint8Array(content.length + 1);
    line.set(content);
    line[content.length] = NEWLINE;
    return line;
  }
  return `${typeof content === "string" ? content : JSON.stringify(content)}\n`;
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
    // What is of known length goes out in one piece.
    headers["Content-Length"] = String(bytes.length);
    return new Response(bytes as BodyInit, { status: sendable(code), headers });
  }
  headers["Content-Encoding"] = "gzip";
  headers["Vary"] = "Accept-Encoding";
  const compressed = new Blob([body as BlobPart]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { status: sendable(code), headers });
}

/** Webhooks may refuse with any code. One that no response can have stands in its body alone. */
function sendable(code: number): number {
  return Number.isInteger(code) && code >= 200 && code <= 599 ? code : 500;
}

const MEDIA_TYPES = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: PROTOBUF,
} as const;

/** Answers with what is written as it was negotiated. A stream is long enough to be compressed. */
export function encodeBytes(
  body: Uint8Array | ReadableStream<Uint8Array>,
  { type }: Negotiated,
  acceptEncoding: string | null,
): Response {
  const contentType = MEDIA_TYPES[type];
  if (body instanceof Uint8Array) return answer(200, body, contentType, acceptEncoding);
  const headers: Record<string, string> = {
    "Content-Type": contentType,
    "Cache-Control": "no-cache, private",
  };
  if (!acceptsGzip(acceptEncoding)) return new Response(body, { headers });
  headers["Content-Encoding"] = "gzip";
  headers["Vary"] = "Accept-Encoding";
  const compressed = (body as ReadableStream<BufferSource>)
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { headers });
}

function acceptsGzip(acceptEncoding: string | null): boolean {
  return acceptEncoding?.split(",").some((token) => token.trim() === "gzip") ?? false;
}

/** Content as a tree. */
function toTree(content: Content): unknown {
  if (typeof content === "string") return JSON.parse(content);
  return content instanceof Uint8Array ? JSON.parse(decoder.decode(content)) : content;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** As the real server writes YAML: keys sorted, lists not indented, double quotes. */
export function toYaml(content: Content): string {
  return dump(toTree(content), {
    sortKeys: true,
    quoteStyle: "double",
    lineWidth: -1,
    noRefs: true,
    seqNoIndent: true,
  });
}
