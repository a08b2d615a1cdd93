import { errorText } from "../base/errors/error_text.ts";

/**
 * Returns the reason why a server cannot listen on its address, and the remedy, in one line.
 *
 * @param other The alternative that the text offers to the user, such as `choose another address`.
 */
export function listenFailure(error: unknown, other: string): string {
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return `another process uses the port; end it, or ${other}`;
    case "EACCES":
      return `this user may not listen on the port; take one above 1023, or ${other}`;
    // Deno reports an address of another machine as EINVAL, Node as EADDRNOTAVAIL.
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
      return `this machine does not have the address; ${other}`;
    default:
      return `${errorText(error)}; ${other}`;
  }
}
