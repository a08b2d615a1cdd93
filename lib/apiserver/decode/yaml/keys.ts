/**
 * Converts keys of YAML mappings that are not strings to JSON keys, and to the form of error
 * messages. Mirrors `sigs.k8s.io/yaml/yaml.go, convertToJSONableObject`.
 *
 * @module
 */
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ScalarNode, YamlNode } from "./node.ts";
import { isInteger, resolveScalar, type YamlScalar } from "./scalar.ts";

const MAX_INT64 = 2n ** 63n - 1n;
/** The decimal exponent from which on Go's `%g` writes a float in exponent notation. */
const LARGE_EXPONENT = 21;
const SHORTEST_LARGE_EXPONENT = 6;
const FLOAT32_DIGITS = 9;

/**
 * Returns the JSON key of a scalar key in YAML; `undefined` for null and for an integer beyond 63
 * bits.
 */
export function keyText(node: ScalarNode): string | undefined {
  const key = resolveScalar(node);
  if (key === null) return undefined;
  if (typeof key === "bigint" && key > MAX_INT64) return undefined;
  return typeof key === "number" && !isInteger(node) ? floatKeyText(key) : String(key);
}

/** Returns the shortest text of a 32-bit float, which sigs.k8s.io/yaml makes of a float key. */
function floatKeyText(key: number): string {
  if (Number.isNaN(key)) return ".nan";
  const single = Math.fround(key);
  if (!Number.isFinite(single)) return single > 0 ? ".inf" : "-.inf";
  let digits = 1;
  while (digits < FLOAT32_DIGITS && Math.fround(Number(single.toPrecision(digits))) !== single) {
    digits++;
  }
  return goFloat(Number(single.toPrecision(digits)), SHORTEST_LARGE_EXPONENT);
}

function goFloat(value: number, largeExponent: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const exponential = value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
  return exponent >= -4 && exponent < largeExponent ? String(value) : exponential;
}

/** Returns the error about a YAML key that JSON cannot have. */
export function unsupportedKey(node: ScalarNode, value: YamlNode): Error {
  const key = resolveScalar(node);
  const [type, shown] = typeof key === "bigint"
    ? ["uint64", `0x${key.toString(16)}`]
    : ["%!s(<nil>)", "<nil>"];
  return new Error(
    `unsupported map key of type: ${type}, key: ${shown}, value: ${goSyntax(value, true)}`,
  );
}

/** Returns a YAML value in the form of Go's `%#v`; null has a type within a list or a map. */
export function goSyntax(node: YamlNode, outermost = false): string {
  switch (node.kind) {
    case "alias":
      return goSyntax(node.target, outermost);
    case "sequence":
      return `[]interface {}{${node.items.map((item) => goSyntax(item)).join(", ")}}`;
    case "mapping": {
      const entries = node.entries.map(([key, value]) => `${goSyntax(key)}:${goSyntax(value)}`);
      return `map[interface {}]interface {}{${entries.join(", ")}}`;
    }
    case "scalar":
      return goScalar(node, resolveScalar(node), outermost);
  }
}

function goScalar(node: ScalarNode, value: YamlScalar, outermost: boolean): string {
  if (value === null) return outermost ? "<nil>" : "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "bigint" && value > MAX_INT64) return `0x${value.toString(16)}`;
  if (typeof value !== "number" || isInteger(node)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return goFloat(value, LARGE_EXPONENT);
}
