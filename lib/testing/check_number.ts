/**
 * The valid range of a number in a fault's options, bounds included; the argument of {@linkcode
 * checkNumber}.
 */
export interface NumberRule {
  readonly least: number;
  /** The largest valid value of the number in a fault's options. @default {Infinity} */
  readonly most?: number;
  /**
   * Sets whether the number in a fault's options must be an integer or, without `most`, `Infinity`.
   *
   * @default {true}
   */
  readonly whole?: boolean;
}

/**
 * Throws unless a number of a fault, such as a delay, is in range; `what` names the number in the
 * error message.
 *
 * @throws {RangeError} When the number is out of range, `NaN`, or not an integer although it must
 * be.
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
