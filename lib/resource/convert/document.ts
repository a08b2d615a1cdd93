import type { SchemaProblem } from "../schema/schema_error.ts";

/** A JSON Schema of any draft: a record of the values of its keywords. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Reports whether a value is a JSON object: neither a list nor `null`. */
export function isObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The maximum nesting depth of schemas that are converted; the call stack allows about a thousand
 * levels.
 */
const MAX_DEPTH = 200;

/**
 * The maximum number of schemas that are converted in one document, nested ones included; a
 * referenced schema counts for each reference. A CustomResourceDefinition with as many exceeds the
 * 1.5 MB that an API server stores.
 */
const MAX_SCHEMAS = 100_000;

/** A JSON Schema document during its conversion: resolves references, and collects the problems. */
export class Document {
  readonly #root: Keywords;
  /** The number of nested schemas whose conversion has begun and has not ended. */
  #depth = 0;
  /** The number of schemas whose conversion has begun so far. */
  #count = 0;
  /**
   * Reports whether the JSON Schema exceeded a limit of the conversion; only the first excess is
   * recorded as a problem.
   */
  #isTooLarge = false;
  /** The `$ref` references that are being followed, to detect cycles. */
  readonly #open: string[] = [];
  /** The problems of the JSON Schema found so far. */
  readonly problems: SchemaProblem[] = [];

  constructor(root: Keywords) {
    this.#root = root;
  }

  /** Adds a problem of the JSON Schema, at a field path, to `problems`. */
  refuse(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /**
   * Calls `run`, which converts one schema, and returns the result. Once a limit on the nesting
   * depth or the number of schemas was exceeded, every call returns `undefined` without calling
   * `run`; the first of these calls records a problem.
   */
  within<T>(path: string, run: () => T): T | undefined {
    if (this.#isTooLarge) return undefined;
    const isTooDeep = this.#depth >= MAX_DEPTH;
    if (isTooDeep || ++this.#count > MAX_SCHEMAS) {
      this.#isTooLarge = true;
      const how = isTooDeep
        ? `is nested more than ${MAX_DEPTH} levels deep, or contains itself`
        : `consists of more than ${MAX_SCHEMAS} schemas, with its references inlined`;
      const advice = "take any value in place of the inner ones ({} in JSON Schema, s.unknown)";
      this.refuse(isTooDeep ? "" : path, `the schema ${how}; ${advice}`);
      return undefined;
    }
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  /**
   * Calls `run` with the schema that a `$ref` reference names, and returns the result. Records a
   * problem and returns `undefined` for a cycle, an unknown name, an anchor, and a reference to
   * another document. Returns `undefined` also once a limit of {@linkcode Document.within} was
   * exceeded.
   */
  follow<T>(reference: unknown, path: string, run: (schema: unknown) => T): T | undefined {
    if (typeof reference !== "string" || !reference.startsWith("#")) {
      this.refuse(path, `$ref ${JSON.stringify(reference)} is not within the document; inline it`);
      return undefined;
    }
    if (reference !== "#" && !reference.startsWith("#/")) {
      const advice = `write the path of the schema, such as #/$defs/${reference.slice(1)}`;
      this.refuse(path, `$ref ${reference} names an anchor, which is not looked up; ${advice}`);
      return undefined;
    }
    if (this.#open.includes(reference)) {
      this.refuse(
        path,
        `$ref ${reference} refers to itself, and no CustomResourceDefinition can; limit the depth, ` +
          "or take any value there ({} in JSON Schema, s.unknown)",
      );
      return undefined;
    }
    const schema = this.#at(reference);
    if (schema === undefined) {
      this.refuse(path, `$ref ${reference} names nothing in the document`);
      return undefined;
    }
    this.#open.push(reference);
    try {
      return this.within(path, () => run(schema));
    } finally {
      this.#open.pop();
    }
  }

  /**
   * Returns the value that a reference such as `#` or `#/$defs/port` names in the JSON Schema;
   * `undefined` if there is no such value.
   */
  #at(reference: string): unknown {
    let value: unknown = this.#root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
        return undefined;
      }
      value = (value as Keywords)[name];
    }
    return value;
  }
}

/** Returns a text with its percent escapes decoded; a text with an invalid escape unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
