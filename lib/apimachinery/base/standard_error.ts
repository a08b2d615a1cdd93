/**
 * Writes a text or bytes to standard error, synchronously and completely; a failure, such as a
 * closed stream, is ignored.
 */
export function writeToStandardError(output: string | Uint8Array): void {
  const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
  try {
    for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
  } catch {
    // The stream is closed.
  }
}
