import { errorText } from "@xca/apimachinery/base";
import { checkOptionNames, described, type OptionNames } from "@xca/apimachinery/internal/base";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { isDnsLabel, parseLabelSelector, type ResourceType } from "@xca/apimachinery/meta";
import type { SourceDefinition, SourceOptions } from "./controller_definition.ts";
import { checkFunction } from "./value_checks.ts";

/** The names of all options of a controller's source, for the refusal of unknown ones. */
const SOURCE_OPTIONS: OptionNames<SourceOptions> = {
  predicates: true,
  labelSelector: true,
  fieldSelector: true,
  namespaces: true,
  indexes: true,
  transform: true,
};

/** The names of all options of a source of owned objects. */
const OWNED_SOURCE_OPTIONS = { ...SOURCE_OPTIONS, anyOwner: true } as const;

/**
 * The fields of a controller's source as the user passed them to a builder method, before
 * {@linkcode checkSource}.
 */
export interface UncheckedSource {
  readonly relation: SourceDefinition["relation"];
  readonly type: ResourceType;
  readonly map: unknown;
  readonly options: unknown;
}

/**
 * Throws unless a value is a resource type, that is, has an id, kind, plural and apiVersion that
 * are strings. `failure` begins the message. A module may be run without a type check, and two
 * modules that import each other may find a constant undefined.
 *
 * @throws {TypeError} When the value is not a {@linkcode ResourceType}.
 */
export function checkResourceType(type: unknown, failure: string): asserts type is ResourceType {
  const { id, kind, plural, apiVersion } = (isRecord(type) ? type : {}) as Partial<ResourceType>;
  if ([id, kind, plural, apiVersion].every((each) => typeof each === "string")) return;
  throw new TypeError(
    `${failure}: the resource must be a constant such as ConfigMap or made by resourceType(), ` +
      `is ${described(type)}` +
      (type === undefined ? "; do two modules import each other?" : ""),
  );
}

/**
 * Throws unless one source of a controller is valid. Does not call the functions of the source.
 *
 * @throws {TypeError} When the resource is not a resource type, `map` is not a function, an option
 * is unknown or of the wrong type, a selector cannot be parsed, or the namespaces are not valid for
 * the resource.
 */
export function checkSource(
  controller: string,
  { relation, type, map, options }: UncheckedSource,
): void {
  checkResourceType(type, `Cannot build controller ${controller}: .${relation}()`);
  const failure = `Cannot build controller ${controller}: source ${type.id}`;
  checkFunction(map, `${failure}: the mapping function`);
  checkSourceOptions(options, { relation, type, failure });
}

function checkSourceOptions(
  given: unknown,
  { relation, type, failure }: Pick<UncheckedSource, "relation" | "type"> & {
    readonly failure: string;
  },
): void {
  const known = relation === "owns" ? OWNED_SOURCE_OPTIONS : SOURCE_OPTIONS;
  checkOptionNames<SourceOptions>(failure, given, known);
  const options = given as Record<string, unknown>;
  checkPredicates(options.predicates, failure);
  checkSelectors(options, failure);
  checkNamespaces(type, options.namespaces, failure);
  checkIndexes(options.indexes, failure);
  if (options.transform !== undefined) checkFunction(options.transform, `${failure}: transform`);
}

/**
 * Throws unless the predicates of a controller's source are an array of functions or `undefined`.
 * `failure` begins the message.
 *
 * @throws {TypeError} When the value is neither an array of functions nor `undefined`.
 */
export function checkPredicates(predicates: unknown, failure: string): void {
  if (predicates === undefined) return;
  if (!Array.isArray(predicates)) {
    throw new TypeError(`${failure}: predicates must be an array, is ${described(predicates)}`);
  }
  for (const [at, predicate] of predicates.entries()) {
    checkFunction(predicate, `${failure}: predicate ${at + 1} of ${predicates.length}`);
  }
}

function checkSelectors(options: Record<string, unknown>, failure: string): void {
  const parsers = { labelSelector: parseLabelSelector, fieldSelector: parseFieldSelector };
  for (const [name, parse] of Object.entries(parsers)) {
    const selector = options[name];
    if (selector === undefined) continue;
    if (typeof selector !== "string") {
      throw new TypeError(`${failure}: ${name} must be a string, is ${described(selector)}`);
    }
    try {
      parse(selector);
    } catch (cause) {
      const example = name === "labelSelector" ? "app=web,tier!=db" : "metadata.name=web";
      throw new TypeError(
        `${failure}: ${name} ${
          JSON.stringify(selector)
        } cannot be parsed, write it as ${example}: ` +
          errorText(cause),
        { cause },
      );
    }
  }
}

function checkNamespaces(type: ResourceType, namespaces: unknown, failure: string): void {
  if (namespaces === undefined) return;
  if (type.scope === "Cluster") {
    throw new TypeError(`${failure}: namespaces are given, but that resource is cluster-scoped`);
  }
  if (!Array.isArray(namespaces) || namespaces.length === 0) {
    throw new TypeError(
      `${failure}: namespaces must be an array of at least one, is ${described(namespaces)}; ` +
        "leave it out for all namespaces",
    );
  }
  const wrong = namespaces.find((each) => typeof each !== "string" || !isDnsLabel(each));
  if (wrong !== undefined || new Set(namespaces).size < namespaces.length) {
    throw new TypeError(
      `${failure}: each of namespaces must be the name of a namespace and be given once, ` +
        `they are ${JSON.stringify(namespaces)}`,
    );
  }
}

function checkIndexes(indexes: unknown, failure: string): void {
  if (indexes === undefined) return;
  if (!isRecord(indexes)) {
    throw new TypeError(
      `${failure}: indexes must be an object of functions by name, is ${described(indexes)}`,
    );
  }
  for (const [name, index] of Object.entries(indexes)) {
    checkFunction(index, `${failure}: index ${name}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
