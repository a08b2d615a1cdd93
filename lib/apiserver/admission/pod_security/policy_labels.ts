import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";

/** How strict the standards are, from nothing to everything. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;

/** A level of the pod security standards. */
export type Level = typeof LEVELS[number];

/** A level as it was in a release. */
export interface Standard {
  readonly level: Level;
  /** The minor version of the release; `Infinity` is the latest. */
  readonly minor: number;
}

/** What the labels of a namespace ask for. Audit goes nowhere, and is only checked. */
export interface SecurityPolicy {
  readonly enforce: Standard;
  readonly warn: Standard;
}

const PREFIX = "pod-security.kubernetes.io/";
const PATH = FieldPath.of("metadata", "labels");
const MAX_INT = 2n ** 63n - 1n;
const PRIVILEGED: Standard = { level: "privileged", minor: Infinity };

/** What holds where no label says anything. */
export const NO_POLICY: SecurityPolicy = { enforce: PRIVILEGED, warn: PRIVILEGED };

/** `baseline:v1.30`, `restricted:latest`. */
export function standardText({ level, minor }: Standard): string {
  return `${level}:${minor === Infinity ? "latest" : `v1.${minor}`}`;
}

/** Below zero, zero or above, as the first is less strict, as strict or stricter. */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

/** Whether two standards are one. */
export function sameStandard(a: Standard, b: Standard): boolean {
  return a.level === b.level && a.minor === b.minor;
}

type Labels = Readonly<Record<string, string>>;

/**
 * The policy of a namespace. Labels that cannot be read are errors; what they say counts as the
 * strictest where it is enforced, and as nothing where it is warned of.
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

/** What a namespace enforces it also warns of, unless its labels say otherwise. */
function warnedOf(enforce: Mode, warn: Mode): Standard {
  if (warn.hasLevel || !enforce.isLevel) return warn.standard;
  const { level, minor } = enforce.standard;
  if (compareLevels(level, warn.standard.level) <= 0) return warn.standard;
  return { level, minor: warn.hasVersion ? warn.standard.minor : minor };
}

interface Mode {
  readonly standard: Standard;
  readonly hasLevel: boolean;
  /** Whether there is a level, and it is one. */
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

/** The minor version; `undefined` for a text that is none. */
function minorOf(version: string): number | undefined {
  if (version === "latest") return Infinity;
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(version) ?? [];
  return minor === undefined || BigInt(minor) > MAX_INT ? undefined : Number(minor);
}
