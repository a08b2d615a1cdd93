/** What a number of a fault must be. */
export interface NumberRule {
  readonly least: number;
  /** @default {Infinity} */
  readonly most?: number;
  /** @default {true} */
  readonly whole?: boolean;
}

/** @throws {RangeError} When a number cannot be what it is for; `what` says which one it is. */
export function checkNumber(
  what: string,
  value: number,
  { least, most = Infinity, whole = true }: NumberRule,
): void {
  const fits = value >= least && value <= most;
  if (fits && (!whole || Number.isInteger(value) || value === Infinity)) return;
  const kind = whole ? "a whole number" : "a number";
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`${what} must be ${kind} ${range}, is ${value}`);
}
