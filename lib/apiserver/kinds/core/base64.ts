/** How many bytes a base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor(text.length / 4) * 3 - padding;
}

/** The bytes of a base64 text; none where it is not base64. */
function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}

/** The UTF-8 text in a base64 text. */
export function base64Text(text: string): string {
  return new TextDecoder().decode(base64Bytes(text));
}

/** The base64 text of a text's UTF-8. */
export function toBase64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
