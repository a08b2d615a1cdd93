/**
 * Parses and formats times as kube-apiserver does, with the error messages of Go's `time.Parse`.
 * Mirrors `apis/meta/v1/time.go, Time` and `apis/meta/v1/micro_time.go, MicroTime`.
 *
 * @module
 */
import { goQuote } from "./go_text.ts";

const SECONDS = "2006-01-02T15:04:05Z07:00";
const MICROS = "2006-01-02T15:04:05.000000Z07:00";
/** The zero value of Go's type `time.Time`, which JSON represents as `null`. */
const ZERO = "0001-01-01T00:00:00";

/**
 * Returns the canonical text of a `Time`: in UTC with whole seconds, without the fraction that the
 * text may have; `null` for the zero time.
 *
 * @throws {Error} If the text is not a time.
 */
export function canonicalTime(text: string): string | null {
  if (/^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/.test(text)) {
    return text.startsWith(ZERO) ? null : text;
  }
  const { seconds, fraction } = new TimeParser(text, SECONDS).parse();
  return seconds === ZERO && fraction === "" ? null : `${seconds}Z`;
}

/**
 * Returns the canonical text of a `MicroTime`: in UTC with six fractional digits, which the text
 * must have as well; `null` for the zero time.
 *
 * @throws {Error} If the text is not a time.
 */
export function canonicalMicroTime(text: string): string | null {
  const { seconds, fraction } = new TimeParser(text, MICROS).parse();
  if (seconds === ZERO && fraction === "000000") return null;
  return `${seconds}.${fraction}Z`;
}

/** A parser of RFC 3339 times that reads a text in one pass, in the order of Go's layout. */
class TimeParser {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  /** Returns the parsed RFC 3339 time in UTC in whole seconds, and the digits of its fraction. */
  parse(): { seconds: string; fraction: string } {
    const year = this.#number("2006", 4, false);
    this.#literal("-");
    const month = this.#number("01", 2, false);
    if (month < 1 || month > 12) this.#outOfRange("month");
    this.#literal("-");
    const day = this.#number("02", 2, false);
    this.#literal("T");
    const hour = this.#number("15", 2, true);
    if (hour > 23) this.#outOfRange("hour");
    this.#literal(":");
    const minute = this.#number("04", 2, false);
    if (minute > 59) this.#outOfRange("minute");
    this.#literal(":");
    const second = this.#number("05", 2, false);
    if (second > 59) this.#outOfRange("second");
    const fraction = this.#layout === MICROS ? this.#micros() : this.#anyFraction();
    const offset = this.#zone();
    if (this.#rest !== "") this.#fail(`: extra text: ${goQuote(this.#rest)}`);
    const date = new Date(0);
    date.setUTCFullYear(year, month, 0);
    if (day < 1 || day > date.getUTCDate()) this.#fail(": day out of range");
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute - offset, second, 0);
    return { seconds: withoutMillis(date), fraction };
  }

  /**
   * Reads one element of an RFC 3339 time: a number of one or two digits if `variable` is set,
   * otherwise a number of `width` digits.
   */
  #number(element: string, width: number, variable: boolean): number {
    const pattern = variable ? /^[0-9]{1,2}/ : width === 4 ? /^[0-9]{4}/ : /^[0-9]{2}/;
    const [digits] = pattern.exec(this.#rest) ?? [];
    if (digits === undefined) this.#cannotParse(element);
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits);
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) this.#cannotParse(character);
    this.#rest = this.#rest.slice(1);
  }

  #micros(): string {
    const [, digits] = /^[.,]([0-9]{6})/.exec(this.#rest) ?? [];
    if (digits === undefined) this.#cannotParse(".000000");
    this.#rest = this.#rest.slice(7);
    return digits;
  }

  /**
   * Reads a fraction of a second, which Go accepts although the layout does not name it. Returns
   * its digits without final zeros.
   */
  #anyFraction(): string {
    const [whole = ""] = /^[.,][0-9]+/.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(whole.length);
    return whole.slice(1).replace(/(?<!0)0+$/, "");
  }

  /** Reads the time zone offset of an RFC 3339 time, and returns it in minutes. */
  #zone(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const [whole, sign, hours, minutes] = /^([-+])([0-9]{2}):([0-9]{2})/.exec(this.#rest) ?? [];
    if (whole === undefined) this.#cannotParse("Z07:00");
    if (Number(hours) > 24) this.#outOfRange("time zone offset hour");
    if (Number(minutes) > 60) this.#outOfRange("time zone offset minute");
    this.#rest = this.#rest.slice(whole.length);
    return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  }

  #cannotParse(element: string): never {
    throw new Error(
      `parsing time ${goQuote(this.#text)} as ${goQuote(this.#layout)}: ` +
        `cannot parse ${goQuote(this.#rest)} as ${goQuote(element)}`,
    );
  }

  #outOfRange(what: string): never {
    this.#fail(`: ${what} out of range`);
  }

  #fail(message: string): never {
    throw new Error(`parsing time ${goQuote(this.#text)}${message}`);
  }
}

function withoutMillis(date: Date): string {
  return date.toISOString().replace(/^\+?(-?)0*(\d{4,})/, "$1$2").slice(0, -5);
}
