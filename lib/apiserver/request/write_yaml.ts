// Mirrors `runtime/serializer/json/json.go, Serializer.doEncode`.
import { nestedTooDeep, StatusError } from "@xca/apimachinery/internal/errors";
import { YamlEmitter } from "./yaml_emitter.ts";

/**
 * The greatest number of levels of a YAML document; the size of a document grows by the square of
 * this number.
 */
const MOST_LEVELS = 2000;

/** A pattern of the characters that YAML does not allow, and JSON does not escape. */
const FORBIDDEN = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * Writes a JSON value as a YAML document in the style of kube-apiserver, which converts JSON to
 * YAML: with sorted keys, and texts folded at 80 columns.
 *
 * @throws {StatusError} 400 for a value of more than 2000 levels, and 500 for one with control
 * characters that JSON does not escape, such as U+007F, which kube-apiserver cannot convert.
 */
export function writeYaml(value: unknown): string {
  checkValue(value);
  const emitter = new YamlEmitter();
  emitter.write(value);
  return emitter.end();
}

/**
 * Throws the errors of {@linkcode writeYaml} about the levels of a value, and about its texts and
 * keys. Proceeds level by level, since calls could exhaust the stack.
 */
function checkValue(value: unknown): void {
  let level = [value];
  for (let levels = 0; level.length > 0; levels++) {
    const inner: unknown[] = [];
    for (const each of level) {
      if (typeof each === "string") checkText(each);
      if (typeof each !== "object" || each === null) continue;
      if (levels === MOST_LEVELS) throw nestedTooDeep();
      if (!Array.isArray(each)) Object.keys(each).forEach(checkText);
      for (const member of Object.values(each)) inner.push(member);
    }
    level = inner;
  }
}

function checkText(text: string): void {
  if (FORBIDDEN.test(text)) {
    throw new StatusError(500, "", "yaml: control characters are not allowed");
  }
}
