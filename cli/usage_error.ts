/** The error of an invalid command line. The exit code is 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
