// Mirrors `go.yaml.in/yaml/v2/scannerc.go, yaml_parser_save_simple_key`.
import type { Cursor } from "./cursor.ts";

/**
 * The maximum length of a simple key in YAML (a key without `?`), in characters (YAML 1.1, section
 * 7.4).
 */
const LONGEST = 1024;

/**
 * The possible simple key of one flow level in a YAML text. The object is reused, since nearly
 * every scalar may be a key.
 */
interface SimpleKey {
  possible: boolean;
  /** Reports whether only a YAML key is valid where the possible key begins. */
  required: boolean;
  /** The number of the YAML token that the possible simple key begins with, from 0. */
  token: number;
  line: number;
  at: number;
  column: number;
}

/**
 * The possible starts of simple keys (keys without `?`) in a YAML text: one per open flow
 * collection, and one for the block.
 */
export class SimpleKeys {
  readonly #cursor: Cursor;
  readonly #keys: SimpleKey[] = [];
  /**
   * The flow level of the possible simple key in YAML that begins with a token, by the token's
   * number.
   */
  readonly #levels = new Map<number, number>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.open(0);
  }

  /** The number of open YAML flow collections (`[` or `{`) at the scanner's position. */
  get flowLevel(): number {
    return this.#keys.length - 1;
  }

  /** Enters a YAML flow collection, in which no key has begun. */
  open(token: number): void {
    const { line, at, column } = this.#cursor;
    this.#keys.push({ possible: false, required: false, token, line, at, column });
  }

  /** Leaves a YAML flow collection, when one is open. */
  close(): void {
    if (this.flowLevel > 0) this.#levels.delete(this.#keys.pop()!.token);
  }

  /**
   * Records that a simple key (a YAML key without `?`) may begin at the cursor, with the token of
   * the given number. `required` sets whether only a key is valid there.
   */
  begin(token: number, required: boolean): void {
    this.end();
    const key = this.#keys.at(-1)!;
    key.possible = true;
    key.required = required;
    key.token = token;
    key.line = this.#cursor.line;
    key.at = this.#cursor.at;
    key.column = this.#cursor.column;
    this.#levels.set(token, this.flowLevel);
  }

  /**
   * Drops the possible simple key (YAML key without `?`) of the current flow level.
   *
   * @throws {YamlError} If only a key is valid there.
   */
  end(): void {
    const key = this.#keys.at(-1)!;
    if (!key.possible) return;
    if (key.required) this.#cursor.fail("could not find expected ':'");
    key.possible = false;
    this.#levels.delete(key.token);
  }

  /**
   * Drops and returns the possible simple key (YAML key without `?`) that a `:` at the cursor
   * belongs to; `undefined` if none began on the cursor's line, at most 1,024 characters before it.
   *
   * @throws {YamlError} If only a key was valid where one began that the `:` cannot belong to.
   */
  take(): { readonly token: number; readonly line: number; readonly column: number } | undefined {
    const key = this.#keys.at(-1)!;
    if (!this.#isStillPossible(key)) return undefined;
    key.possible = false;
    this.#levels.delete(key.token);
    return key;
  }

  /**
   * Reports whether the YAML token of the given number may still turn out to begin a simple key.
   *
   * @throws {YamlError} If it may not, but only a key is valid there.
   */
  mayBegin(token: number): boolean {
    const level = this.#levels.get(token);
    return level !== undefined && this.#isStillPossible(this.#keys[level]!);
  }

  #isStillPossible(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const { line, at } = this.#cursor;
    if (key.line === line && key.at + LONGEST >= at) return true;
    if (key.required) this.#cursor.fail("could not find expected ':'");
    key.possible = false;
    return false;
  }
}
