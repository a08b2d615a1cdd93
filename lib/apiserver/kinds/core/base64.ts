/** Returns the bytes that a base64 text encodes; empty for a text that is not base64. */
function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}

/** Returns the UTF-8 text that a base64 text encodes; empty for a text that is not base64. */
export function base64Text(text: string): string {
  return new TextDecoder().decode(base64Bytes(text));
}

/** Returns the base64 of the UTF-8 bytes of a text. */
export function toBase64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
