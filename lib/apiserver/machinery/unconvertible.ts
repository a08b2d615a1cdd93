import { StatusError } from "@xca/apimachinery/internal/errors";

/**
 * What was decoded cannot be one of its kind: 400 to whoever sends it. A patch that brings it about
 * says `why` in its own way.
 */
export class UnconvertibleError extends StatusError {
  readonly why: string;

  constructor(kind: string, version: string, why: string) {
    const what = `${kind} in version "${version}" cannot be handled as a ${kind}`;
    super(400, "BadRequest", `${what}: ${why}`);
    this.why = why;
  }
}
