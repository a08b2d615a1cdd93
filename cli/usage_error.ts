/** The error about a command line or a file that a command cannot use; the exit code is 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
