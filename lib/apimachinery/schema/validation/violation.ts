// Mirrors `validation/validate/result.go, Result`.
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../../errors/field_error.ts";
import { runAll } from "../../base/time/loop_share.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { sortFields } from "../../values/json_values.ts";

/** A violation of a schema, before it becomes a field error. */
export interface Violation {
  /**
   * The kind of violation, which decides the type of the field error; a `general` violation is
   * reported at the root of the validated value, whatever its path.
   */
  readonly kind:
    | "type"
    | "required"
    | "enum"
    | "tooLong"
    | "tooMany"
    | "value"
    | "general";
  /**
   * The path of the invalid value, such as `spec.items[0]`; may begin with a dot; empty at the
   * root.
   */
  readonly path: string;
  readonly message: string;
  readonly value?: unknown;
  /** The values that the schema allows, or the limit that the value exceeds. */
  readonly valid?: unknown;
}

const NONE: readonly Violation[] = [];

/**
 * The result of checking a value against a schema: its violations, each text once, and the number
 * of checks that passed.
 */
export class Result {
  /** The violations of the schema by the checked value; absent for valid values. */
  #violations: Violation[] | undefined;
  /**
   * The number of passed checks: of several alternatives in a schema, the violations of the
   * alternative with the most passed checks are reported.
   */
  matches = 0;
  #messages: Set<string> | undefined;

  static of(violation: Violation): Result {
    const result = new Result();
    result.add(violation);
    return result;
  }

  get violations(): readonly Violation[] {
    return this.#violations ?? NONE;
  }

  get isValid(): boolean {
    return this.#violations === undefined;
  }

  add(violation: Violation): void {
    if (this.#violations === undefined) {
      this.#violations = [violation];
      return;
    }
    this.#messages ??= new Set(this.#violations.map(({ message }) => message));
    if (this.#messages.has(violation.message)) return;
    this.#messages.add(violation.message);
    this.#violations.push(violation);
  }

  /**
   * Adds the violations and matches of another result, which the caller must not change afterwards.
   */
  merge(other: Result | undefined): void {
    if (other === undefined) return;
    this.matches += other.matches;
    if (other.#violations === undefined) return;
    // The first violations, of which there may be many, are taken over instead of copied.
    if (this.#violations === undefined) {
      this.#violations = other.#violations;
      this.#messages = other.#messages;
    } else for (const violation of other.#violations) this.add(violation);
  }
}

/** Returns violations of a schema as field errors, whose paths are below `path`. */
export function toFieldErrors(path: FieldPath, violations: readonly Violation[]): FieldError[] {
  return runAll(toFieldErrorsInSteps(path, violations));
}

/** The number of violations after which their conversion yields to other work. */
const PAUSE_AFTER = 500;

/**
 * Converts violations like {@linkcode toFieldErrors}, as a generator that yields from time to time
 * so that other work may run.
 */
export function* toFieldErrorsInSteps(
  path: FieldPath,
  violations: readonly Violation[],
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  for (const violation of violations) {
    errors.push(toFieldError(path, violation));
    if (errors.length % PAUSE_AFTER === 0) yield;
  }
  return errors;
}

function toFieldError(root: FieldPath, violation: Violation): FieldError {
  const { kind, message, value, valid } = violation;
  if (kind === "general") return invalid(root, "", message);
  const below = violation.path.replace(/^\./, "");
  const path = below === "" ? root : root.child(below);
  switch (kind) {
    case "required":
      return required(path);
    case "enum":
      return notSupported(
        path,
        sortFields(value),
        (valid as unknown[]).map((each) => typeof each === "string" ? each : JSON.stringify(each)),
      );
    case "tooLong":
      return tooLong(path, valid as number);
    case "tooMany":
      return tooMany(path, value as number, valid as number);
    case "type":
      return typeInvalid(path, value ?? "", message);
    case "value":
      return invalid(path, value ?? "", message);
  }
}
