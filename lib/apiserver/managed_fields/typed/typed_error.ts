// Mirrors `typed/helpers.go, ValidationError`.

/** A record of the mismatch of one value with its schema. */
export interface TypedErrorEntry {
  /**
   * The path of the mismatched value, such as `.spec.replicas`; empty for the whole object, and if
   * the message contains the path.
   */
  readonly path: string;
  readonly message: string;
}

/**
 * Calls `run` and returns its result. Prefixes the message of a TypedError that `run` throws with
 * `what`, such as `failed to merge config`.
 *
 * @throws {TypedError}
 */
export function wanted<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TypedError ? wantedError(what, error) : error;
  }
}

/**
 * Runs the steps of a generator and returns its result. Prefixes the message of a TypedError with
 * `what`, as {@linkcode wanted} does.
 */
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

/** The error for values that do not match their schema. The message is kube-apiserver's. */
export class TypedError extends Error {
  override readonly name = "TypedError";

  constructor(entries: readonly TypedErrorEntry[]) {
    const lines = entries.map(({ path, message }) => path === "" ? message : `${path}: ${message}`);
    super(
      lines.length === 1 ? lines[0] : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n"),
    );
  }
}
