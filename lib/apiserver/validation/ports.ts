// Mirrors `util/validation/validation.go, IsValidPortNum`.
import { byteLength, maxLengthProblem, rangeProblem } from "@xca/apimachinery/internal/validation";

/**
 * Returns the problem of a network port number that is not from 1 to 65535; empty for a valid
 * number.
 */
export function portNumberProblems(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : [rangeProblem(1, 65535)];
}

/**
 * Returns the problems of a network port name as messages; empty for a valid name: at most 15
 * lower-case letters, digits and single hyphens, with a letter, and no hyphen at an end.
 */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (byteLength(name) > 15) problems.push(maxLengthProblem(15));
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) {
    problems.push("must not begin or end with a hyphen");
  }
  return problems;
}
