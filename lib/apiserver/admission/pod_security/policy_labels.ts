// Mirrors `pod-security-admission/api/helpers.go, PolicyToEvaluate`.
import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";

/** The levels of the pod security standards, from the most to the least permissive. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;

/** A level of the pod security standards. */
export type Level = typeof LEVELS[number];

/** A pod security standard: a level as defined in a Kubernetes release. */
export interface Standard {
  readonly level: Level;
  /**
   * The minor version of the Kubernetes release that defines the pod security standard; `Infinity`
   * for the latest.
   */
  readonly minor: number;
}

/**
 * The pod security policy that a namespace's labels request. The audit mode has no output, and is
 * only validated.
 */
export interface SecurityPolicy {
  readonly enforce: Standard;
  readonly warn: Standard;
}

const PREFIX = "pod-security.kubernetes.io/";
const PATH = FieldPath.of("metadata", "labels");
const MAX_INT = 2n ** 63n - 1n;
const PRIVILEGED: Standard = { level: "privileged", minor: Infinity };

/** The pod security policy of a namespace without labels, which admits all pods. */
export const NO_POLICY: SecurityPolicy = { enforce: PRIVILEGED, warn: PRIVILEGED };

/** Formats a pod security standard as `baseline:v1.30` or `restricted:latest`. */
export function standardText({ level, minor }: Standard): string {
  return `${level}:${minor === Infinity ? "latest" : `v1.${minor}`}`;
}

/**
 * Compares levels of the pod security standards: negative if the first is more permissive, positive
 * if it is stricter.
 */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

/** Reports whether two pod security standards are equal. */
export function sameStandard(a: Standard, b: Standard): boolean {
  return a.level === b.level && a.minor === b.minor;
}

type Labels = Readonly<Record<string, string>>;

/**
 * Parses the pod security policy of a namespace from its labels. Returns the policy, and the field
 * errors about invalid labels. An invalid level counts as `restricted` in `enforce`, and as
 * `privileged` in `warn`.
 */
export function policyOf(
  labels: Labels = {},
): { readonly policy: SecurityPolicy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const enforce = readMode(labels, "enforce", "restricted", errors);
  readMode(labels, "audit", "privileged", errors);
  const warn = readMode(labels, "warn", "privileged", errors);
  return { policy: { enforce: enforce.standard, warn: warnedOf(enforce, warn) }, errors };
}

/**
 * Returns the pod security standard to warn about: that of the `warn` labels, or without a label
 * `warn` the enforced standard, in the version of the label `warn-version` if there is one.
 */
function warnedOf(enforce: Mode, warn: Mode): Standard {
  if (warn.hasLevel || !enforce.isLevel) return warn.standard;
  const { level, minor } = enforce.standard;
  if (compareLevels(level, warn.standard.level) <= 0) return warn.standard;
  return { level, minor: warn.hasVersion ? warn.standard.minor : minor };
}

interface Mode {
  readonly standard: Standard;
  readonly hasLevel: boolean;
  /**
   * Reports whether the namespace's label for a pod security mode, such as `enforce`, has a valid
   * level; false also without the label.
   */
  readonly isLevel: boolean;
  readonly hasVersion: boolean;
}

function readMode(labels: Labels, mode: string, fallback: Level, errors: FieldError[]): Mode {
  const said = labels[PREFIX + mode];
  const version = labels[`${PREFIX}${mode}-version`];
  const level = LEVELS.find((each) => each === said);
  if (said !== undefined && level === undefined) {
    errors.push(invalid(PATH.key(PREFIX + mode), said, `must be one of ${LEVELS.join(", ")}`));
  }
  const minor = version === undefined ? Infinity : minorOf(version);
  if (minor === undefined) {
    const path = PATH.key(`${PREFIX}${mode}-version`);
    errors.push(invalid(path, version, 'must be "latest" or "v1.x"'));
  }
  return {
    standard: {
      level: level ?? (said === undefined ? "privileged" : fallback),
      minor: minor ?? Infinity,
    },
    hasLevel: said !== undefined,
    isLevel: level !== undefined,
    hasVersion: version !== undefined,
  };
}

/**
 * Parses a version label such as `v1.30` or `latest`; returns the minor version (`Infinity` for
 * `latest`), or `undefined` if the label is invalid.
 */
function minorOf(version: string): number | undefined {
  if (version === "latest") return Infinity;
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(version) ?? [];
  return minor === undefined || BigInt(minor) > MAX_INT ? undefined : Number(minor);
}
