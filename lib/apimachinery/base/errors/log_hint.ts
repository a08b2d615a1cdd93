import { getLogger } from "@logtape/logtape";

let isTold = false;

/**
 * Writes a hint to standard error, or with `write`, once per process, when LogTape is not
 * configured to log the errors of this library: a program that logs its failures nowhere looks
 * healthy.
 */
export function hintUnlessLogging(write: (text: string) => void = writeToStandardError): void {
  if (isTold || getLogger("xca").isEnabledFor("error")) return;
  isTold = true;
  write(
    "@xca/operator logs nothing, failures included, since no log is set up: " +
      '`await startLogging()` from "@xca/operator" first, or configure LogTape\'s category "xca"\n',
  );
}

/**
 * Writes a text to standard error, synchronously; a failure, such as a closed stream, is ignored.
 */
export function writeToStandardError(text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
  } catch {
    // The stream is closed.
  }
}
