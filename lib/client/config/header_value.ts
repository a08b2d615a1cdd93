// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * Returns the reason why a bearer token cannot be sent in a header, without the token; `undefined`
 * when it can.
 */
export function bearerFault(token: string): string | undefined {
  if (/[\r\n]/.test(token)) return "the token has a line break in it";
  if (!/^[\x21-\x7e]+$/.test(token)) return "the token has characters that a token cannot contain";
  return undefined;
}

/**
 * Returns a text as the value of a header: its UTF-8 bytes, each as one character. `Headers` takes
 * bytes in that form, and clients in Go send such values as UTF-8 too.
 *
 * @throws {TypeError} When the text has control characters, which a header cannot contain.
 */
export function headerValue(text: string): string {
  if (CONTROL.test(text)) throw new TypeError("a header's value cannot carry control characters");
  return bytesAsText(new TextEncoder().encode(text));
}

/** Returns base64 of the UTF-8 bytes of a text. */
export function base64Text(text: string): string {
  return btoa(bytesAsText(new TextEncoder().encode(text)));
}

function bytesAsText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
