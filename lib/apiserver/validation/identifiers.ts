/**
 * The rules for identifiers that are not object names. Each function returns the problems of a text
 * as messages; an empty list for a valid text.
 *
 * Mirrors `util/validation/validation.go, IsEnvVarName`.
 *
 * @module
 */
import {
  byteLength,
  maxLengthProblem,
  patternProblem,
} from "@xca/apimachinery/internal/validation";

/**
 * Returns the problems of the name of an environment variable, which must be printable ASCII
 * without `=`.
 */
export function environmentNameProblems(value: string): string[] {
  const problems: string[] = [];
  if (value === "") problems.push("environment variable name must be non-empty");
  if (!/^[ -<>-~]*$/.test(value)) {
    problems.push(
      "a valid environment variable name must consist only of printable ASCII characters other " +
        "than '='",
    );
  }
  return problems;
}

/**
 * Returns the problems of a key of a ConfigMap or a Secret, which must consist of at most 253
 * letters, digits, `-`, `_` and `.`, and not be `.` or begin with `..`.
 */
export function configMapKeyProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push(maxLengthProblem(253));
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    problems.push(patternProblem(message, "[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"));
  }
  if (value === ".") problems.push("must not be '.'");
  else if (value === "..") problems.push("must not be '..'");
  else if (value.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/**
 * Returns the problems of a text that should be the name of an HTTP header: ASCII letters, digits
 * and `-`.
 */
export function httpHeaderNameProblems(value: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return [];
  const message = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [patternProblem(message, "[-A-Za-z0-9]+", "X-Header-Name")];
}

/** Returns the problems of a text that should be a percentage, such as `93%`. */
export function percentProblems(value: string): string[] {
  if (/^[0-9]+%$/.test(value)) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [patternProblem(message, "[0-9]+%", "1%", "93%")];
}
