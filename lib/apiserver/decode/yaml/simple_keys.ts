import type { Cursor } from "./cursor.ts";

/** How far a key may reach that is known for one only by the `:` behind it. */
const LONGEST = 1024;

/** Kept for its place and used anew, since nearly every scalar is one. */
interface SimpleKey {
  possible: boolean;
  /** Whether nothing but a key can stand there. */
  required: boolean;
  /** The number of its first token. */
  token: number;
  line: number;
  at: number;
  column: number;
}

/** Where a key may have begun: one place per open flow collection, and one for the block. */
export class SimpleKeys {
  readonly #cursor: Cursor;
  readonly #keys: SimpleKey[] = [];
  /** The level of the key that begins with a token. */
  readonly #levels = new Map<number, number>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.open(0);
  }

  /** How many flow collections are open. */
  get flowLevel(): number {
    return this.#keys.length - 1;
  }

  /** Enters a flow collection, in which no key has begun. */
  open(token: number): void {
    const { line, at, column } = this.#cursor;
    this.#keys.push({ possible: false, required: false, token, line, at, column });
  }

  /** Leaves a flow collection, when one is open. */
  close(): void {
    if (this.flowLevel > 0) this.#levels.delete(this.#keys.pop()!.token);
  }

  /** A key may begin here, with the token of that number. */
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

  /** What may have begun as a key was none. */
  end(): void {
    const key = this.#keys.at(-1)!;
    if (!key.possible) return;
    if (key.required) this.#cursor.fail("could not find expected ':'");
    key.possible = false;
    this.#levels.delete(key.token);
  }

  /** The key that a `:` here belongs to, if one began on the line; it is none any more after that. */
  take(): { readonly token: number; readonly line: number; readonly column: number } | undefined {
    const key = this.#keys.at(-1)!;
    if (!this.#isStillPossible(key)) return undefined;
    key.possible = false;
    this.#levels.delete(key.token);
    return key;
  }

  /** Whether the token may turn out to begin a key. */
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
