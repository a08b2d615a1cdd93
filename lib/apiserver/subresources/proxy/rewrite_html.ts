// Mirrors `util/proxy/transport.go, rewriteHTML`.
import { attempt } from "@xca/apimachinery/internal/base";
import { decodeHTMLAttribute } from "entities/decode";
import { parseGoUrl } from "./go_url.ts";
import { htmlTokens, type StartTag } from "./html_tokens.ts";
import { type ProxiedPage, rewrittenUrl } from "./rewrite_url.ts";

/** The names of the attributes with URLs, by HTML element (`atomsToAttrs`). */
const URL_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  applet: ["codebase"],
  area: ["href"],
  audio: ["src"],
  base: ["href"],
  blockquote: ["cite"],
  body: ["background"],
  button: ["formaction"],
  command: ["icon"],
  del: ["cite"],
  embed: ["src"],
  form: ["action"],
  frame: ["longdesc", "src"],
  head: ["profile"],
  html: ["manifest"],
  iframe: ["longdesc", "src"],
  img: ["longdesc", "src", "usemap"],
  input: ["src", "usemap", "formaction"],
  ins: ["cite"],
  link: ["href"],
  object: ["classid", "codebase", "data", "usemap"],
  q: ["cite"],
  script: ["src"],
  source: ["src"],
  video: ["poster", "src"],
};

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "\r": "&#13;",
};

/**
 * Returns an HTML page whose URLs are rewritten to lead through the proxy. Start tags are
 * serialized again, with names in lower case and quoted values; an incomplete tag at the end is
 * dropped, and all other bytes are left unchanged.
 */
export function rewrittenHtml(page: Uint8Array, proxied: ProxiedPage): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  for (const token of htmlTokens(bytesAsText(page))) {
    if (typeof token === "string") parts.push(textAsBytes(token));
    else parts.push(encoder.encode(tagText(token, proxied)));
  }
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

function tagText({ name, attributes, closes }: StartTag, proxied: ProxiedPage): string {
  const written = attributes.map(([key, value]) => {
    const plain = decodeHTMLAttribute(utf8(value).replace(/\r\n?/g, "\n"));
    const isUrl = Object.hasOwn(URL_ATTRIBUTES, name) && URL_ATTRIBUTES[name]!.includes(key);
    const url = isUrl ? attempt(() => rewrittenUrl(parseGoUrl(plain), proxied)) : undefined;
    return ` ${utf8(key)}="${(url ?? plain).replace(/[&'<>"\r]/g, (each) => ESCAPES[each]!)}"`;
  });
  return `<${utf8(name)}${written.join("")}${closes ? "/" : ""}>`;
}

/** Returns bytes as a binary string, with one character for each byte. */
function bytesAsText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

function textAsBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

function utf8(text: string): string {
  return new TextDecoder().decode(textAsBytes(text));
}
