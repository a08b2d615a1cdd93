import { badRequest } from "../machinery/status_error.ts";

/** Where a list goes on. */
export interface PageToken {
  /** The state that it shows; negative: the newest. */
  readonly revision: number;
  /** The first key that it may show, without the beginning that all keys of the list share. */
  readonly start: string;
}

const VERSION = "meta.k8s.io/v1";

/** A token as the real server writes it. */
export function encodePageToken({ revision, start }: PageToken): string {
  const text = JSON.stringify({ v: VERSION, rv: revision, start });
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** @throws {StatusError} 400 when it is no token. */
export function decodePageToken(token: string): PageToken {
  const { v, rv, start } = parse(token);
  if (v !== VERSION) {
    throw invalidToken(`: server does not recognize this encoded version ${v ?? ""}`);
  }
  if (!rv) throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (!start) throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  const key = start.startsWith("/") ? start.slice(1) : start;
  if (key.split("/").some((part) => part === "" || part === "." || part === "..")) {
    throw invalidToken(`: ${start}`);
  }
  return { revision: rv, start: key };
}

function parse(token: string): { v?: string; rv?: number; start?: string } {
  const bytes = decodeBase64(token);
  const text = new TextDecoder().decode(bytes);
  try {
    const value = JSON.parse(text);
    if (value !== null && typeof value === "object") return value;
  } catch {
    // Said below.
  }
  const first = bytes[0];
  if (first === undefined) throw invalidToken(": unexpected end of JSON input");
  throw invalidToken(`: invalid character ${quoteByte(first)} looking for beginning of value`);
}

function decodeBase64(token: string): Uint8Array {
  const wrong = /[^A-Za-z0-9_-]/.exec(token);
  const at = wrong?.index ?? (token.length % 4 === 1 ? token.length - 1 : -1);
  if (at >= 0) throw invalidToken(`: illegal base64 data at input byte ${at}`);
  return Uint8Array.fromBase64(token, { alphabet: "base64url" });
}

function quoteByte(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return `'${String.fromCharCode(byte)}'`;
  return `'\\u${byte.toString(16).padStart(4, "0")}'`;
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
