/** What is wrong with one value. */
export interface TypedErrorEntry {
  /** The path, as `.spec.replicas`. */
  readonly path: string;
  readonly message: string;
}

/** Runs, and says of what is not of its type what it was wanted for. @throws {TypedError} */
export function wanted<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TypedError ? wantedError(what, error) : error;
  }
}

/** The same of steps, between which others may have their turn. */
export function* wantedInSteps<T>(
  what: string,
  steps: Generator<void, T>,
): Generator<void, T> {
  try {
    return yield* steps;
  } catch (error) {
    throw error instanceof TypedError ? wantedError(what, error) : error;
  }
}

function wantedError(what: string, error: TypedError): TypedError {
  return new TypedError([{ path: "", message: `${what}: ${error.message}` }]);
}

/** Values that are not of their type. The message is that of the real server. */
export class TypedError extends Error {
  override readonly name = "TypedError";

  constructor(entries: readonly TypedErrorEntry[]) {
    const lines = entries.map(({ path, message }) => path === "" ? message : `${path}: ${message}`);
    super(
      lines.length === 1 ? lines[0] : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n"),
    );
  }
}
