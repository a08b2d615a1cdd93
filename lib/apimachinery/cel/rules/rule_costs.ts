// Mirrors `apis/apiextensions/validation/cel_validation.go, TotalCost`.
import { MAX_COST } from "../cost/ranges.ts";
import type { CelSchema } from "../cel_schema.ts";
import { type DeclaredType, MAX_REQUEST_BYTES } from "../schema/declared_type.ts";

/**
 * The limit of the estimated cost of one CEL rule, in cost units of CEL, over all values that the
 * rule can apply to in one object. The same limit applies to one evaluation of a message
 * expression.
 */
export const RULE_COST_LIMIT = 10_000_000;
/**
 * The limit of the sum of the estimated costs of a schema's CEL rules and message expressions, in
 * cost units of CEL.
 */
export const TOTAL_COST_LIMIT = 100_000_000;

const MOST_EXPENSIVE = 4;

/**
 * Returns the error message for an estimated cost above a limit; `what` names the cost: that of a
 * CEL rule, of a message expression, or of all rules of a schema.
 */
export function costProblem(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100
    ? "more than 100x"
    : factor < 1.5
    ? `${factor.toFixed(6)}x`
    : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding ` +
    "maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
}

/**
 * Returns the estimated cost of a CEL rule over all values that the rule can apply to: `cost`, that
 * of one evaluation, times the number of these values. The number is `cardinality`, or if that is
 * `undefined`, the number of values that fit into a request of the maximum size.
 */
export function ruleCost(
  cost: number,
  cardinality: number | undefined,
  type: DeclaredType,
): number {
  if (cost === 0) return 0;
  const times = cardinality ?? Math.floor(MAX_REQUEST_BYTES / (type.minBytes + 1));
  return Math.min(cost * times, MAX_COST);
}

/**
 * Returns the maximum number of occurrences of a schema's child in one object; `undefined` if a
 * list or map at or above the schema has no limit.
 */
export function childCardinality(
  schema: CelSchema,
  cardinality: number | undefined,
): number | undefined {
  if (cardinality === undefined) return undefined;
  let most: number | undefined = 1;
  if (schema.type === "object" && schema.additionalProperties !== undefined) {
    most = schema.maxProperties;
  } else if (schema.type === "array") most = schema.maxItems;
  return most === undefined ? undefined : Math.min(cardinality * Math.max(0, most), MAX_COST);
}

/**
 * The sum of the estimated costs of a schema's CEL rules and message expressions, with the field
 * paths of the most expensive ones.
 */
export class TotalCost {
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  observe(path: string, cost: number): void {
    this.#total = Math.min(this.#total + cost, MAX_COST);
    if (cost < TOTAL_COST_LIMIT / 100) return;
    this.#expensive.push({ path, cost });
    this.#expensive.sort((a, b) => b.cost - a.cost);
    this.#expensive = this.#expensive.slice(0, MOST_EXPENSIVE);
  }

  get total(): number {
    return this.#total;
  }

  /**
   * The field paths of the most expensive CEL rules and message expressions, at most four, the most
   * expensive first. Each costs at least one hundredth of the total limit.
   */
  get mostExpensive(): readonly string[] {
    return this.#expensive.map(({ path }) => path);
  }
}
