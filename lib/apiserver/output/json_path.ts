/**
 * Evaluates the JSONPath of a custom resource's printer columns: fields, indexes, slices, unions of
 * indexes or of names, wildcards, recursive descent and filters, but no templates such as `{range}`.
 * A path is parsed once and interpreted. Mirrors `util/jsonpath/jsonpath.go, JSONPath`.
 *
 * @module
 */

import { runAll } from "@xca/apimachinery/internal/base";
import {
  allOf,
  children,
  descend,
  fieldStep,
  filterStep,
  JsonPathSearch,
  positionStep,
  type Step,
  unquote,
} from "./json_path_steps.ts";

/** A parsed JSONPath. */
export interface JsonPath {
  /**
   * Returns the distinct values that the JSONPath finds in an object, in order; an empty list if a
   * part of the path is missing.
   */
  find(root: unknown): unknown[];
  /**
   * Finds values as {@linkcode JsonPath.find} does, in steps, between which other work may run.
   */
  findInSteps(root: unknown): Generator<void, unknown[]>;
}

/**
 * Parses a JSONPath, without braces around it, such as `.spec.list[?(@.name=="a")].value`.
 *
 * @throws {SyntaxError} If the path is invalid.
 */
export function parseJsonPath(text: string): JsonPath {
  const steps = new PathParser(text).steps();
  const findInSteps = (root: unknown): Generator<void, unknown[]> =>
    new JsonPathSearch().find(steps, root);
  return { findInSteps, find: (root) => runAll(findInSteps(root)) };
}

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const rest = this.#text.slice(this.#at);
      if (rest.startsWith("..")) {
        this.#at += 1;
        steps.push(descend);
        if (this.#text[this.#at + 1] === "[") this.#at += 1;
      } else if (rest.startsWith(".[")) this.#at += 1;
      else if (rest.startsWith(".")) steps.push(...this.#field());
      else if (rest.startsWith("[")) steps.push(this.#brackets());
      else this.#fail();
    }
    return steps;
  }

  #field(): Step[] {
    const [whole, name] = /^\.((?:\\.|[^.[\]\\{}\s])*)/.exec(this.#text.slice(this.#at))!;
    this.#at += whole.length;
    if (name === "") return [];
    return [name === "*" ? children : fieldStep(name!.replace(/\\(.)/g, "$1"))];
  }

  #brackets(): Step {
    const end = this.#closing();
    const inner = this.#text.slice(this.#at + 1, end).trim();
    this.#at = end + 1;
    if (inner === "*") return children;
    if (/^'(?:[^'\\]|\\.)*'$|^"(?:[^"\\]|\\.)*"$/.test(inner)) return fieldStep(unquote(inner));
    const filter = /^\?\(([^]*)\)$/.exec(inner);
    if (filter) return filterStep(filter[1]!.trim(), (path) => new PathParser(path).steps());
    const slice = /^(-?\d*)(?:(:)(-?\d*)(?::(\d*))?)?$/.exec(inner);
    if (slice && inner !== "") return positionStep(slice);
    if (/^(-?\d+|'[^']*')(\s*,\s*(-?\d+|'[^']*'))+$/.test(inner)) {
      const steps = inner.split(",").map((each) => new PathParser(`[${each.trim()}]`).#brackets());
      return allOf(steps);
    }
    this.#fail();
  }

  /**
   * Returns the index in the JSONPath text of the bracket that closes the current one, outside of
   * quotes and inner brackets. Throws a SyntaxError if there is none.
   */
  #closing(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "'" || character === '"') {
        at = this.#text.indexOf(character, at + 1);
        if (at < 0) break;
      } else if (character === "[") depth++;
      else if (character === "]" && --depth === 0) return at;
    }
    this.#fail();
  }

  #fail(): never {
    throw new SyntaxError(`unrecognized path ${this.#text}`);
  }
}
