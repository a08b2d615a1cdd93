// deno-lint-ignore no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Why a token cannot go into a header; `undefined` when it can. Never shows the token. */
export function bearerFault(token: string): string | undefined {
  if (/[\r\n]/.test(token)) return "the token has a line break in it";
  if (!/^[\x21-\x7e]+$/.test(token)) return "the token has characters that no token has";
  return undefined;
}

/**
 * A text as a header's value: its UTF-8 bytes, each as one character, which is how `Headers` takes
 * bytes and how Go's clients send such values.
 *
 * @throws {TypeError} When it has control characters, which no header can carry.
 */
export function headerValue(text: string): string {
  if (CONTROL.test(text)) throw new TypeError("a header's value cannot carry control characters");
  return bytesAsText(new TextEncoder().encode(text));
}

/** Base64 of a text's UTF-8 bytes. */
export function base64Text(text: string): string {
  return btoa(bytesAsText(new TextEncoder().encode(text)));
}

function bytesAsText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
