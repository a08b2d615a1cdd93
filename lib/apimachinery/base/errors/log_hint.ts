import { getLogger } from "@logtape/logtape";
import { writeToStandardError } from "../standard_error.ts";

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
