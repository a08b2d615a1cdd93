/** The command line cannot be understood or obeyed. Ends the process with exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
