// Mirrors `cel/library/semverlib.go, SemverLib`.
import { goQuote } from "../../values/go_text.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { CelError, CelObject, type CelValue } from "../values/value.ts";

/** The CEL value of a semantic version. */
class Version extends CelObject {
  override readonly type: CelType = namedType("kubernetes.Semver");

  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly prerelease: readonly string[],
  ) {
    super();
  }

  override equals(other: CelObject): boolean {
    return this.compareTo(other as Version) === 0n;
  }

  compareTo(other: Version): bigint {
    for (const [index, number] of this.numbers.entries()) {
      const order = sign(number, other.numbers[index]!);
      if (order !== 0n) return order;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }
}

function sign<T extends bigint | number | string>(a: T, b: T): bigint {
  return a < b ? -1n : a > b ? 1n : 0n;
}

/**
 * Compares the pre-releases of two semantic versions: returns -1 if `a` is earlier, 1 if `b` is
 * earlier, 0 if they are equal. A version without a pre-release is later. The identifiers are
 * compared from left to right, and numbers are lower than names.
 */
function comparePrereleases(a: readonly string[], b: readonly string[]): bigint {
  if (a.length === 0 || b.length === 0) return sign(Number(a.length === 0), Number(b.length === 0));
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [left, right] = [a[index]!, b[index]!];
    const numeric = [left, right].map((part) => /^\d+$/.test(part));
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1n : 1n;
    const order = numeric[0] ? sign(BigInt(left), BigInt(right)) : sign(left, right);
    if (order !== 0n) return order;
  }
  return sign(a.length, b.length);
}

const WORDS = ["major", "minor", "patch"] as const;

function parse(text: string): Version | CelError {
  if (text === "") return new CelError("Version string empty");
  const match = /^([^.]*)\.([^.]*)\.([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text);
  if (!match) return new CelError("No Major.Minor.Patch elements found");
  const [, major, minor, patch, prerelease, build] = match;
  for (const [index, part] of [major!, minor!, patch!].entries()) {
    const word = WORDS[index]!;
    if (!/^\d*$/.test(part)) {
      return new CelError(`Invalid character(s) found in ${word} number ${goQuote(part)}`);
    }
    if (part.length > 1 && part.startsWith("0")) {
      const name = word[0]!.toUpperCase() + word.slice(1);
      return new CelError(`${name} number must not contain leading zeroes ${goQuote(part)}`);
    }
    if (part === "" || BigInt(part) >= 1n << 64n) {
      const why = part === "" ? "invalid syntax" : "value out of range";
      return new CelError(`strconv.ParseUint: parsing ${goQuote(part)}: ${why}`);
    }
  }
  const parts = prerelease === undefined ? [] : prerelease.split(".");
  const problem = parts.map(prereleaseProblem).find((each) => each !== undefined) ??
    (build === undefined ? [] : build.split(".")).map(buildProblem)
      .find((each) => each !== undefined);
  if (problem !== undefined) return new CelError(problem);
  return new Version([BigInt(major!), BigInt(minor!), BigInt(patch!)], parts);
}

function prereleaseProblem(part: string): string | undefined {
  if (part === "") return "Prerelease is empty";
  if (/^\d+$/.test(part)) {
    return part.length > 1 && part.startsWith("0")
      ? `Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`
      : undefined;
  }
  return /^[0-9A-Za-z-]+$/.test(part)
    ? undefined
    : `Invalid character(s) found in prerelease ${goQuote(part)}`;
}

function buildProblem(part: string): string | undefined {
  if (part === "") return "Build meta data is empty";
  return /^[0-9A-Za-z-]+$/.test(part)
    ? undefined
    : `Invalid character(s) found in build meta data ${goQuote(part)}`;
}

/**
 * Parses a semantic version after normalization, such as of `v1.02` to `1.2.0`; the result is a
 * `CelError` if the normalized text is not a version.
 */
function parseLoosely(text: string): Version | CelError {
  const [major = "", minor, ...patch] = text.replace(/^v/, "").split(".");
  const parts = [major, ...(minor === undefined ? [] : [minor])];
  if (patch.length > 0) parts.push(patch.join("."));
  const trimmed = parts.map((part) => {
    if (part.length <= 1) return part;
    const bare = part.replace(/^0+/, "");
    return /^\d/.test(bare) ? bare : `0${bare}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1)!)) {
    return new CelError("short version cannot contain PreRelease/Build meta data");
  }
  while (trimmed.length < 3) trimmed.push("0");
  return parse(trimmed.join("."));
}

function read(text: CelValue | undefined, loosely: CelValue = false): Version | CelError {
  return loosely === true ? parseLoosely(text as string) : parse(text as string);
}

function compareVersions(a: CelValue | undefined, b: CelValue | undefined): bigint {
  return (a as Version).compareTo(b as Version);
}

function numberAt(index: 0 | 1 | 2): (value?: CelValue) => CelValue {
  return (value) => (value as Version).numbers[index];
}

/** The CEL library of functions for semantic versions. */
export const VERSIONS: Library = {
  signatures: `
    semver string_to_semver(string) kubernetes.Semver
    semver string_bool_to_semver(string, bool) kubernetes.Semver
    isSemver is_semver_string(string) bool
    isSemver is_semver_string_bool(string, bool) bool
    isGreaterThan semver_is_greater_than.(kubernetes.Semver, kubernetes.Semver) bool
    isLessThan semver_is_less_than.(kubernetes.Semver, kubernetes.Semver) bool
    compareTo semver_compare_to.(kubernetes.Semver, kubernetes.Semver) int
    major semver_major.(kubernetes.Semver) int
    minor semver_minor.(kubernetes.Semver) int
    patch semver_patch.(kubernetes.Semver) int`,
  implementations: {
    string_to_semver: (text) => read(text),
    string_bool_to_semver: (text, loosely) => read(text, loosely),
    is_semver_string: (text) => read(text) instanceof Version,
    is_semver_string_bool: (text, loosely) => read(text, loosely) instanceof Version,
    semver_is_greater_than: (a, b) => compareVersions(a, b) > 0n,
    semver_is_less_than: (a, b) => compareVersions(a, b) < 0n,
    semver_compare_to: compareVersions,
    semver_major: numberAt(0),
    semver_minor: numberAt(1),
    semver_patch: numberAt(2),
  },
};
