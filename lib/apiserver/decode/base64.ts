const ALPHABET = /^[A-Za-z0-9+/]$/;

/**
 * Returns the canonical form of a base64 text: without line breaks, and with the unused bits of the
 * last character set to zero.
 *
 * @throws {Error} If the text is not base64; the message is that of Go's decoder.
 */
export function canonicalBase64(text: string): string {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*$/.test(text)) return text;
  const wrong = firstWrong(text);
  if (wrong >= 0) throw new Error(`illegal base64 data at input byte ${wrong}`);
  return btoa(atob(text.replace(/[\r\n]/g, "")));
}

/**
 * Returns the byte offset that Go reports for the first invalid character of a base64 text; -1 for
 * a valid text.
 */
function firstWrong(text: string): number {
  let inQuantum = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\r" || character === "\n") continue;
    if (ALPHABET.test(character)) inQuantum = (inQuantum + 1) % 4;
    else if (character === "=" && inQuantum >= 2) return wrongPadding(text, at, inQuantum);
    else return new TextEncoder().encode(text.slice(0, at)).length;
  }
  return inQuantum === 0 ? -1 : text.length - inQuantum;
}

function wrongPadding(text: string, at: number, inQuantum: number): number {
  const skip = (from: number): number => {
    while (text[from] === "\r" || text[from] === "\n") from++;
    return from;
  };
  let next = skip(at + 1);
  if (inQuantum === 2) {
    if (next === text.length) return text.length;
    if (text[next] !== "=") return next - 1;
    next = skip(next + 1);
  }
  return next < text.length ? next : -1;
}
