// Mirrors k8s.io/apimachinery/pkg/util/validation/field/errors.go, Error.
import { checkOptionNames, markClass, type OptionNames } from "@xca/apimachinery/internal/base";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "@xca/apimachinery/internal/errors";

/**
 * A problem of one field of an object, which validators return and the functions of `field` create.
 */
export interface FieldProblem {
  /** The path of the invalid field, such as `spec.containers[0].name`. */
  readonly field: string;
  /** The machine-readable reason of the problem, such as `FieldValueInvalid`. */
  readonly reason: string;
  /**
   * The message of the problem without the path, such as `Invalid value: -1: must be at least 0`.
   */
  readonly message: string;
}

function problemOf({ type, field, body }: FieldError): FieldProblem {
  return Object.freeze({ field, reason: type, message: body });
}

/**
 * The functions that create {@linkcode FieldProblem}s, in the wording of Kubernetes' own
 * validation.
 */
export interface FieldProblems {
  /** Returns the problem of a value that breaks a rule; `detail` names the rule. */
  invalid(path: string, value: unknown, detail: string): FieldProblem;
  /** Returns the problem of an absent or empty required field. */
  required(path: string, detail?: string): FieldProblem;
  /** Returns the problem of a well-formed value or a change that is not allowed in the field. */
  forbidden(path: string, detail: string): FieldProblem;
  /** Returns the problem of a value that is not among the supported ones. */
  notSupported(path: string, value: unknown, supported: readonly string[]): FieldProblem;
  /** Returns the problem of a value that must be unique and is not. */
  duplicate(path: string, value: unknown): FieldProblem;
  /** Returns the problem of a reference to an object that does not exist. */
  notFound(path: string, value: unknown): FieldProblem;
  /** Returns the problem of a text of more than `maxBytes` bytes in UTF-8. */
  tooLong(path: string, maxBytes: number): FieldProblem;
  /** Returns the problem of a list of `items` items, more than `maxItems`. */
  tooMany(path: string, items: number, maxItems: number): FieldProblem;
}

/**
 * The functions that create the problems that a validator returns, one for each reason.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { field } from "@xca/operator/webhook";
 *
 * const problem = field.invalid("spec.replicas", -1, "must be at least 0");
 * assert.equal(problem.message, "Invalid value: -1: must be at least 0");
 * ```
 */
export const field: FieldProblems = Object.freeze({
  invalid: (path: string, value: unknown, detail: string) =>
    problemOf(invalid(FieldPath.of(path), value, detail)),
  required: (path: string, detail = "") => problemOf(required(FieldPath.of(path), detail)),
  forbidden: (path: string, detail: string) =>
    problemOf(forbiddenField(FieldPath.of(path), detail)),
  notSupported: (path: string, value: unknown, supported: readonly string[]) =>
    problemOf(notSupported(FieldPath.of(path), value, supported)),
  duplicate: (path: string, value: unknown) => problemOf(duplicate(FieldPath.of(path), value)),
  notFound: (path: string, value: unknown) => problemOf(notFoundValue(FieldPath.of(path), value)),
  tooLong: (path: string, maxBytes: number) => problemOf(tooLong(FieldPath.of(path), maxBytes)),
  tooMany: (path: string, items: number, maxItems: number) =>
    problemOf(tooMany(FieldPath.of(path), items, maxItems)),
});

/** Options of {@linkcode deny}, which creates the denial of a request. */
export interface DenyOptions {
  /**
   * The HTTP status code that the user of the API server gets; from 400 to 599.
   *
   * @default 422 for problems of fields, else 403
   */
  readonly code?: number | undefined;
  /**
   * The machine-readable reason of the denial, such as `Forbidden`.
   *
   * @default `Forbidden` with code 403, `Invalid` with code 422, else none
   */
  readonly reason?: string | undefined;
}

/** The names of all options of {@linkcode deny}. */
const DENY_OPTIONS: OptionNames<DenyOptions> = {
  code: true,
  reason: true,
};

/**
 * The error by which a handler of a webhook refuses a request; the handler returns or throws it.
 * {@linkcode deny} creates a denial. `instanceof` recognizes denials of other copies of this
 * library too.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { DenialError, deny, field } from "@xca/operator/webhook";
 *
 * const denial = deny([field.required("spec.zone")]);
 * assert(denial instanceof DenialError);
 * assert.equal(denial.code, 422);
 * ```
 */
export class DenialError extends Error {
  /** The name of this error class, `DenialError`. */
  override readonly name = "DenialError";
  /** The HTTP status code that the user of the API server gets. */
  readonly code: number;
  /** The machine-readable reason of the denial; empty for none. */
  readonly reason: string;
  /**
   * The problems of single fields, each of which is a cause in the response; empty for a denial
   * with a message alone.
   */
  readonly problems: readonly FieldProblem[];

  /**
   * Creates a denial from a message or from the problems of fields, which the message then joins.
   *
   * @throws {RangeError} When the code is not an integer from 400 to 599.
   * @throws {TypeError} When an option is unknown.
   */
  constructor(cause: string | readonly FieldProblem[], options: DenyOptions = {}) {
    const problems = typeof cause === "string" ? [] : [...cause];
    const texts = problems.map(({ field, message }) => `${field}: ${message}`);
    super(typeof cause === "string" ? cause : texts.join(", "));
    checkOptionNames("Cannot deny a request", options, DENY_OPTIONS);
    const { code = problems.length > 0 ? 422 : 403 } = options;
    if (!Number.isInteger(code) || code < 400 || code > 599) {
      throw new RangeError(`Cannot deny a request with code ${code}: it must be from 400 to 599`);
    }
    this.code = code;
    this.reason = options.reason ?? (code === 403 ? "Forbidden" : code === 422 ? "Invalid" : "");
    this.problems = Object.freeze(problems);
  }

  static {
    markClass(this, Symbol.for("@xca/operator/DenialError"));
  }
}

/**
 * Returns a denial for a handler to return or throw: from one message, or from the problems of
 * fields.
 *
 * @throws {RangeError} When the code is not an integer from 400 to 599.
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { admit, deny, webhookFor } from "@xca/operator/webhook";
 *
 * const guard = webhookFor(ConfigMap).validator({
 *   delete: ({ object }) => object.metadata.name === "kept" ? deny("this map is needed") : undefined,
 * });
 * const object = { metadata: { name: "kept", namespace: "default" } };
 * const { allowed, message } = await admit(guard, { operation: "DELETE", oldObject: object });
 * assert.deepEqual([allowed, message], [false, "this map is needed"]);
 * ```
 */
export function deny(
  cause: string | readonly FieldProblem[],
  options: DenyOptions = {},
): DenialError {
  return new DenialError(cause, options);
}
