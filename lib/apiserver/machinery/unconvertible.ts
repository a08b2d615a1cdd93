import { StatusError } from "@xca/apimachinery/internal/errors";

/**
 * The error that a decoded object cannot be converted to its kind, a 400 error for a request body.
 * For a patch, `why` is reported in a different error.
 */
export class UnconvertibleError extends StatusError {
  readonly why: string;

  constructor(kind: string, version: string, why: string) {
    const what = `${kind} in version "${version}" cannot be handled as a ${kind}`;
    super(400, "BadRequest", `${what}: ${why}`);
    this.why = why;
  }
}
