import type { ConfigError } from "../config/config.ts";
import { refused, shown, type Sourced } from "../config/config_place.ts";

/** The path and folder of a kubeconfig file. */
export interface KubeconfigFileName {
  /** The path of the kubeconfig file, as it was given. */
  readonly path: string;
  /** The folder of the kubeconfig file, where relative paths in the file start. */
  readonly folder: string;
}

/**
 * A value of a parsed kubeconfig, with its field path for error messages. Reading the value as
 * another type throws a {@linkcode ConfigError}. As in kubectl, `null` and missing values are read
 * as empty ones, and unknown keys are ignored.
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

  /** The field path and file of the kubeconfig value as one text, for error messages. */
  get place(): string {
    const file = shown(this.#file.path);
    return this.#field === "" ? file : `${this.#field} in ${file}`;
  }

  /** Reports whether the kubeconfig has a value other than `null` at this field path. */
  get present(): boolean {
    return this.#value !== undefined;
  }

  /** Returns the node of a key's value in this kubeconfig mapping; the value may be missing. */
  get(key: string): KubeconfigNode {
    const field = this.#field === "" ? key : `${this.#field}.${key}`;
    return new KubeconfigNode(this.#map().get(key), field, this.#file);
  }

  /**
   * Returns the items of this kubeconfig list; none when the kubeconfig does not have the list. The
   * field path of an item contains its `name` where it has one, otherwise its index, from 0.
   */
  items(): KubeconfigNode[] {
    return this.#list().map((item, index) => {
      const name = item instanceof Map ? item.get("name") : undefined;
      const at = typeof name === "string" ? `name=${shown(name)}` : String(index);
      return new KubeconfigNode(item, `${this.#field}[${at}]`, this.#file);
    });
  }

  /**
   * Returns the keys of this kubeconfig mapping, each with the node of its value; none when the
   * kubeconfig does not have the mapping.
   */
  entries(): [string, KubeconfigNode][] {
    return [...this.#map()].map(([key, value]) => {
      if (typeof key !== "string") throw this.wrongType("a key that is text", key);
      return [key, new KubeconfigNode(value, `${this.#field}.${shown(key)}`, this.#file)];
    });
  }

  /** Returns this kubeconfig value as text; an empty text when the kubeconfig does not have it. */
  text(): Sourced<string> {
    const value = this.#value ?? "";
    if (typeof value !== "string") throw this.wrongType("text", value);
    return this.sourced(value);
  }

  /** Returns this kubeconfig value as a boolean; `false` when the kubeconfig does not have it. */
  flag(): Sourced<boolean> {
    const value = this.#value ?? false;
    if (typeof value !== "boolean") throw this.wrongType("true or false", value);
    return this.sourced(value);
  }

  /**
   * Returns this kubeconfig value as a list of texts; an empty list when the kubeconfig does not
   * have it.
   */
  texts(): Sourced<readonly string[]> {
    return this.sourced(this.items().map((item) => item.text().value));
  }

  /**
   * Returns this kubeconfig value as a plain JSON value, with objects in place of maps; `undefined`
   * when the kubeconfig does not have it.
   */
  json(): unknown {
    return plainJson(this.#value);
  }

  /** Returns `value` with the field path, file and folder of this kubeconfig node. */
  sourced<T>(value: T): Sourced<T> {
    return { value, place: this.place, folder: this.#file.folder };
  }

  /**
   * Returns the ConfigError for a kubeconfig value of another type, which does not contain the
   * value.
   */
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
