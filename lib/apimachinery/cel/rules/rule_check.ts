// Mirrors `schema/cel/validation.go, Validator.Validate`.
import type { Json, JsonObject } from "../../values/api_object.ts";
import { type FieldError, fieldErrorText, invalid } from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { goJson, goQuote, trimSpace } from "../../values/go_text.ts";
import type { ValidationRule } from "../cel_schema.ts";
import { COST_EXCEEDED } from "../libraries/lists.ts";
import type { Program } from "../program.ts";
import { withTypeAndMetadata } from "../schema/declared_type.ts";
import { typedValue } from "../schema/typed_value.ts";
import { CelError, CelOptional, type CelValue } from "../values/value.ts";
import type { CompiledRule } from "./compile_rule.ts";
import { Correlation, itemFinder } from "./correlation.ts";
import type { RuleTree } from "./rule_tree.ts";
import { ownField } from "../../values/json_values.ts";

/** The cost limit of evaluating all CEL rules on one object, in cost units of CEL. */
const OBJECT_COST_BUDGET = 10_000_000;

const MAX_MESSAGE_BYTES = 5 * 1024;
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/**
 * The number of values of an object that a check of CEL rules visits before it yields to other
 * work.
 */
const VISITS_OF_STEP = 64;

/**
 * The pairs of new and old value by which ratcheting decides whether a value is unchanged: the pair
 * of the value itself, or for a value without an old one the pair of its nearest ancestor. Both
 * members are `undefined` if there is no ratcheting.
 */
interface Ratchet {
  readonly own: Correlation | undefined;
  readonly ancestor: Correlation | undefined;
}

/**
 * An exception that ends a check of CEL rules early, when a cost limit is exceeded. The check then
 * reports the errors so far.
 */
class Stop extends Error {
  override readonly name = "Stop";
}

/**
 * A single check of one object against the CEL rules of a schema, with a cost budget for all rules
 * together.
 */
export class RuleCheck {
  readonly errors: FieldError[] = [];
  readonly #warn: (text: string) => void;
  #budget = OBJECT_COST_BUDGET;
  #visited = 0;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /**
   * Checks a value against all CEL rules of a tree, in steps, between which other work may run.
   * Returns the errors. With `isRatcheting`, violations by unchanged values cause warnings instead,
   * unless the rule uses `oldSelf`.
   */
  *run(
    tree: RuleTree,
    path: FieldPath,
    value: Json,
    old: Json | undefined,
    isRatcheting: boolean,
  ): Generator<void, FieldError[]> {
    const own = isRatcheting && old !== undefined && old !== null
      ? new Correlation(value, old, tree.schema)
      : undefined;
    try {
      yield* this.#visit(tree, path, value, old, { own, ancestor: undefined });
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return this.errors;
  }

  *#visit(
    tree: RuleTree,
    path: FieldPath,
    value: Json | undefined,
    old: Json | undefined,
    ratchet: Ratchet,
  ): Generator<void, void> {
    if (value === null || value === undefined) return;
    if (++this.#visited % VISITS_OF_STEP === 0) yield;
    yield* this.#apply(tree, path, value, old ?? undefined, ratchet);
    for (const part of tree.allOf) {
      yield* this.#visit(part, path, value, old, { own: undefined, ancestor: ratchet.ancestor });
    }
    if (Array.isArray(value)) yield* this.#visitItems(tree, path, value, old, ratchet);
    else if (typeof value === "object") {
      const oldMap = typeof old === "object" && old !== null && !Array.isArray(old) ? old : {};
      yield* this.#visitFields(tree, path, value, oldMap, ratchet);
    }
  }

  *#visitItems(
    { items, schema }: RuleTree,
    path: FieldPath,
    value: readonly Json[],
    old: Json | undefined,
    ratchet: Ratchet,
  ): Generator<void, void> {
    if (!items) return;
    const find = itemFinder(schema, old);
    for (const [index, item] of value.entries()) {
      const below = ratchet.own ? { own: ratchet.own.item(index), ancestor: ratchet.own } : ratchet;
      yield* this.#visit(items, path.index(index), item, find(item), below);
    }
  }

  *#visitFields(
    { values, properties }: RuleTree,
    path: FieldPath,
    value: JsonObject,
    old: JsonObject,
    ratchet: Ratchet,
  ): Generator<void, void> {
    for (const [key, field] of Object.entries(value)) {
      const below = fieldRatchet(ratchet, key);
      const before = ownField(old, key);
      if (values) yield* this.#visit(values, path.key(key), field, before, below);
      const property = properties.get(key);
      if (property) yield* this.#visit(property, path.child(key), field, before, below);
    }
  }

  #refuse(path: FieldPath, shown: string, detail: string): void {
    this.errors.push(invalid(path, shown, detail));
  }

  *#apply(
    tree: RuleTree,
    path: FieldPath,
    value: Json,
    old: Json | undefined,
    ratchet: Ratchet,
  ): Generator<void, void> {
    const shown = tree.schema.type ?? "";
    if (tree.error !== undefined) {
      this.#refuse(path, shown, `rule compiler initialization error: ${tree.error}`);
      return;
    }
    if (tree.rules.length === 0) return;
    if (this.#budget <= 0) {
      this.#refuse(path, shown, OUT_OF_BUDGET);
      throw new Stop();
    }
    const schema = tree.isRoot ? withTypeAndMetadata(tree.schema) : tree.schema;
    const self = typedValue(value, schema);
    const oldSelf = old === undefined ? undefined : typedValue(old, schema);
    for (const rule of tree.rules) {
      if (yield* this.#holds(rule, self, oldSelf, path, shown)) continue;
      yield* this.#fail(rule, self, oldSelf, { path, value, shown }, ratchet);
    }
  }

  /**
   * Reports whether a CEL rule is satisfied, or needs no further error: the rule does not apply, or
   * its own compilation or evaluation failed, which is recorded as an error.
   *
   * @throws {Stop} If a cost limit is exceeded.
   */
  *#holds(
    { rule, program, error, usesOldSelf }: CompiledRule,
    self: CelValue,
    oldSelf: CelValue | undefined,
    path: FieldPath,
    shown: string,
  ): Generator<void, boolean> {
    if (error !== undefined) {
      this.#refuse(path, shown, `rule compile error: ${error}`);
      return true;
    }
    if (!program) return true;
    if (usesOldSelf && oldSelf === undefined && !rule.optionalOldSelf) return true;
    const known = variables(self, oldSelf, rule.optionalOldSelf === true);
    const { value, cost } = program.isLoopy
      ? yield* program.evaluateInSteps(known)
      : program.evaluate(known);
    if (cost > this.#budget) {
      this.#refuse(path, shown, OUT_OF_BUDGET);
      throw new Stop();
    }
    this.#budget -= cost;
    if (!(value instanceof CelError)) return value === true;
    this.#refuseError(value.message, rule, path, shown);
    return true;
  }

  #refuseError(message: string, rule: ValidationRule, path: FieldPath, shown: string): void {
    const text = ruleText(rule);
    if (message.startsWith("no such overload")) {
      this.#refuse(
        path,
        shown,
        `'${message}': call arguments did not match a supported operator, function or macro ` +
          `signature for rule: ${text}`,
      );
    } else if (message === COST_EXCEEDED) {
      this.#refuse(
        path,
        shown,
        `'${message}': no further validation rules will be run due to call cost exceeds limit for ` +
          `rule: ${text}`,
      );
      throw new Stop();
    } else this.#refuse(path, shown, `${message} evaluating rule: ${text}`);
  }

  *#fail(
    { rule, message, usesOldSelf, fieldPath }: CompiledRule,
    self: CelValue,
    oldSelf: CelValue | undefined,
    at: { readonly path: FieldPath; readonly value: Json; readonly shown: string },
    { own, ancestor }: Ratchet,
  ): Generator<void, void> {
    const path = fieldPath ? at.path.child(fieldPath) : at.path;
    const isUnchanged = (own ?? ancestor)?.isUnchanged ?? false;
    const add = (error: FieldError): void => {
      if (!usesOldSelf && isUnchanged) this.#warn(fieldErrorText(error));
      else this.errors.push(error);
    };
    let detail = rule.message ? trimSpace(rule.message) : `failed rule: ${ruleText(rule)}`;
    if (message) {
      const evaluated = yield* this.#message(message, rule, variables(self, oldSelf, false));
      if (typeof evaluated !== "string") {
        add(invalid(path, at.shown, evaluated.problem));
        throw new Stop();
      }
      if (evaluated !== "") detail = evaluated;
    }
    add(ruleError(path, at.value, at.shown, detail, rule.reason));
  }

  /**
   * Evaluates a CEL rule's `messageExpression`. Returns its text; the empty text if the expression
   * fails or its text is too long or has several lines; or an object with an error message if a
   * cost limit is exceeded.
   */
  *#message(
    program: Program,
    rule: ValidationRule,
    known: (name: string) => CelValue | undefined,
  ): Generator<void, string | { readonly problem: string }> {
    const { value, cost } = yield* program.evaluateInSteps(known);
    if (cost > this.#budget) {
      return {
        problem: "messageExpression evaluation failed due to running out of cost budget, " +
          "no further validation rules will be run",
      };
    }
    this.#budget -= cost;
    if (value instanceof CelError && value.message === COST_EXCEEDED) {
      return {
        problem: "no further validation rules will be run due to call cost exceeds limit for " +
          `messageExpression: ${goQuote(rule.messageExpression!)}`,
      };
    }
    if (typeof value !== "string") return "";
    const text = trimSpace(value);
    const isTooLong = new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES;
    return isTooLong || text.includes("\n") ? "" : text;
  }
}

function fieldRatchet(ratchet: Ratchet, key: string): Ratchet {
  if (!ratchet.own) return ratchet;
  if (!ratchet.ancestor && (key === "apiVersion" || key === "kind")) {
    return { own: undefined, ancestor: undefined };
  }
  return { own: ratchet.own.field(key), ancestor: ratchet.own };
}

function variables(
  self: CelValue,
  oldSelf: CelValue | undefined,
  isOptional: boolean,
): (name: string) => CelValue | undefined {
  return (name) => {
    if (name === "self") return self;
    if (name !== "oldSelf") return undefined;
    if (!isOptional) return oldSelf;
    return oldSelf === undefined ? CelOptional.none : new CelOptional(oldSelf);
  };
}

function ruleText(rule: ValidationRule): string {
  return trimSpace(rule.message || rule.rule);
}

const WORDS: Readonly<Record<string, string>> = {
  FieldValueForbidden: "Forbidden",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
};

/**
 * Returns the field error for a value that violates a CEL rule. The error shows the value, unless
 * the value is an object or a list or the reason is `FieldValueForbidden` or `FieldValueRequired`.
 * An error of the reason `FieldValueDuplicate` leaves `detail` out.
 */
function ruleError(
  path: FieldPath,
  value: Json,
  type: string,
  detail: string,
  reason = "FieldValueInvalid",
): FieldError {
  const word = WORDS[reason] ?? "Invalid value";
  const isOmitted = type === "object" || type === "array" || reason === "FieldValueForbidden" ||
    reason === "FieldValueRequired";
  const shown = isOmitted ? "" : `: ${typeof value === "string" ? goQuote(value) : goJson(value)}`;
  const said = reason === "FieldValueDuplicate" ? "" : `: ${detail}`;
  return { type: reason as FieldError["type"], field: String(path), body: word + shown + said };
}
