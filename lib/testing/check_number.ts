/** The valid range of a number in a fault's options. */
export interface NumberRule {
  readonly least: number;
  /** The largest valid value of the number in a fault's options. @default {Infinity} */
  readonly most?: number;
  /** Sets whether the number in a fault's options must be an integer. @default {true} */
  readonly whole?: boolean;
}

/**
 * Checks a number of a fault, such as a delay; `what` names it in the error message.
 *
 * @throws {RangeError} When the number is out of range.
 */
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
