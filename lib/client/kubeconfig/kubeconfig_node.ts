import type { ConfigError } from "../config/config.ts";
import { refused, shown, type Sourced } from "../config/config_place.ts";

/** The file that a {@linkcode KubeconfigNode} is in. */
export interface KubeconfigFileName {
  /** The file's path, as it was given. */
  readonly path: string;
  /** Its folder. */
  readonly folder: string;
}

/**
 * One value of a parsed kubeconfig that knows its own address. Reading it as a type it does not have
 * throws a {@linkcode ConfigError}; `null` and what is absent read as empty, unknown keys are never
 * looked at, both as in kubectl.
 */
export class KubeconfigNode {
  readonly #value: unknown;
  readonly #field: string;
  readonly #file: KubeconfigFileName;

  constructor(value: unknown, field: string, file: KubeconfigFileName) {
    this.#value = value ?? undefined;
    this.#field = field;
    this.#file = file;
  }

  /** The address, for messages. */
  get place(): string {
    const file = shown(this.#file.path);
    return this.#field === "" ? file : `${this.#field} in ${file}`;
  }

  /** Whether there is a value. */
  get present(): boolean {
    return this.#value !== undefined;
  }

  /** The value of a key of this mapping. */
  get(key: string): KubeconfigNode {
    const field = this.#field === "" ? key : `${this.#field}.${key}`;
    return new KubeconfigNode(this.#map().get(key), field, this.#file);
  }

  /** This list's elements, addressed by their `name` where they have one. */
  items(): KubeconfigNode[] {
    return this.#list().map((item, index) => {
      const name = item instanceof Map ? item.get("name") : undefined;
      const at = typeof name === "string" ? `name=${shown(name)}` : String(index);
      return new KubeconfigNode(item, `${this.#field}[${at}]`, this.#file);
    });
  }

  /** The keys and values of this mapping. */
  entries(): [string, KubeconfigNode][] {
    return [...this.#map()].map(([key, value]) => {
      if (typeof key !== "string") throw this.wrongType("a key that is text", key);
      return [key, new KubeconfigNode(value, `${this.#field}.${shown(key)}`, this.#file)];
    });
  }

  /** The text here; empty when there is none. */
  text(): Sourced<string> {
    const value = this.#value ?? "";
    if (typeof value !== "string") throw this.wrongType("text", value);
    return this.sourced(value);
  }

  /** The truth value here; `false` when there is none. */
  flag(): Sourced<boolean> {
    const value = this.#value ?? false;
    if (typeof value !== "boolean") throw this.wrongType("true or false", value);
    return this.sourced(value);
  }

  /** The list of texts here; empty when there is none. */
  texts(): Sourced<readonly string[]> {
    return this.sourced(this.items().map((item) => item.text().value));
  }

  /** What is here, as JSON has it; what JSON does not have is left out. */
  json(): unknown {
    return plainJson(this.#value);
  }

  /** A value with this address. */
  sourced<T>(value: T): Sourced<T> {
    return { value, place: this.place, folder: this.#file.folder };
  }

  /** The error for a value of another type; it never shows the value. */
  wrongType(wanted: string, value: unknown): ConfigError {
    const quote = wanted.endsWith("text") &&
      (typeof value === "number" || typeof value === "boolean");
    return refused(
      this.place,
      `it must be ${wanted}, and is ${typeText(value)}`,
      quote ? "put it in quotes" : "correct it",
    );
  }

  #map(): ReadonlyMap<unknown, unknown> {
    if (this.#value === undefined) return new Map();
    if (!(this.#value instanceof Map)) throw this.wrongType("a mapping", this.#value);
    return this.#value;
  }

  #list(): readonly unknown[] {
    if (this.#value === undefined) return [];
    if (!Array.isArray(this.#value)) throw this.wrongType("a list", this.#value);
    return this.#value;
  }
}

function plainJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainJson);
  if (!(value instanceof Map)) return value;
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, item] of value) object[String(key)] = plainJson(item);
  return object;
}

function typeText(value: unknown): string {
  if (value instanceof Map) return "a mapping";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  return `a ${typeof value}`;
}
