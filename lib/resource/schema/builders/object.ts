import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { celField, hasCelName } from "../cel_field.ts";
import { type CommonOptions, define, type Rule, type WithDefault } from "../options.ts";
import type {
  AnySchema,
  DefaultedSchema,
  Fields,
  InputObject,
  Schema,
  StoredObject,
} from "../schema.ts";
import { below, type SchemaProblem } from "../schema_error.ts";
import { nodeOf, type SchemaNode } from "../schema_node.ts";

/** The options of an object's schema. */
export interface ObjectOptions extends CommonOptions {
  /**
   * Sets whether the API server keeps fields that the schema does not name, instead of dropping
   * them.
   *
   * @default {false}
   */
  readonly preserveUnknownFields?: boolean;
  /**
   * Sets whether server-side apply treats the object as one value with one owner.
   *
   * @default {false}
   */
  readonly atomic?: boolean;
  /** The smallest number of fields of the object. @default {0} */
  readonly minProperties?: number;
  /** The largest number of fields of the object. @default no limit */
  readonly maxProperties?: number;
}

/**
 * Creates the schema of an object with named fields. A field is required unless its schema is of
 * `s.optional` or has a default; the API server drops fields that the schema does not name, unless
 * `preserveUnknownFields` is set.
 *
 * @example
 * ```ts
 * import { type Input, s } from "@xca/operator/resource";
 *
 * const spec = s.object({
 *   image: s.string(),
 *   replicas: s.integer({ minimum: 0, default: 1 }),
 *   note: s.optional(s.string()),
 * });
 * const written: Input<typeof spec> = { image: "nginx" };
 * ```
 */
export function object<const F extends Fields>(
  fields: F,
  options: ObjectOptions & WithDefault<InputObject<F>>,
): DefaultedSchema<StoredObject<F>, InputObject<F>>;
export function object<const F extends Fields>(
  fields: F,
  options?: ObjectOptions,
): Schema<StoredObject<F>, InputObject<F>>;
export function object(
  fields: Fields,
  options: ObjectOptions & Partial<WithDefault<unknown>> = {},
): AnySchema {
  const nodes = nodesOf(fields);
  const { preserveUnknownFields, atomic, minProperties, maxProperties } = options;
  return define({
    json: {
      ...objectJson(nodes),
      ...(preserveUnknownFields && { "x-kubernetes-preserve-unknown-fields": true }),
      ...(atomic && { "x-kubernetes-map-type": "atomic" }),
      ...(minProperties !== undefined && { minProperties }),
      ...(maxProperties !== undefined && { maxProperties }),
    },
    options: { ...options, rules: [...options.rules ?? [], ...presenceRules(nodes)] },
    problems: [
      ...checkFields(fields),
      ...nodes.flatMap(([name, node]) => problemsOfField(name, node)),
    ],
  });
}

/** The names of an object's fields, each with the implementation of its schema. */
export type Nodes = readonly (readonly [name: string, node: SchemaNode<unknown>])[];

/** Returns the names of an object's fields, each with the implementation of its schema. */
export function nodesOf(fields: Fields): Nodes {
  return Object.entries(fields ?? {}).map(([name, schema]) => [name, nodeOf(schema)] as const);
}

/**
 * Returns a problem if the argument for an object's fields is not an object; otherwise an empty
 * list.
 */
export function checkFields(fields: unknown): SchemaProblem[] {
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return [];
  return [{
    path: "",
    message: "fields must be an object of schemas, such as { name: s.string() }",
  }];
}

/** Returns the JSON schema of an object with the given fields. */
export function objectJson(nodes: Nodes): V1JSONSchemaProps {
  const required = nodes.filter(([, { presence }]) => presence === undefined).map(([name]) => name);
  return {
    type: "object",
    ...(nodes.length > 0 &&
      { properties: Object.fromEntries(nodes.map(([name, { unchecked }]) => [name, unchecked])) }),
    ...(required.length > 0 && { required: required.sort() }),
  };
}

/**
 * Returns the problems of an object field: those of its name, and those of its schema and nested
 * schemas, with paths that begin with the name of the field.
 */
export function problemsOfField(name: string, node: SchemaNode<unknown>): SchemaProblem[] {
  const problems = node.problems.map((problem) => below(name, problem));
  if (node.immutable !== false && node.presence === "optional" && !hasCelName(name)) {
    const message =
      "an optional field with this name cannot be immutable: CEL rules cannot name it";
    problems.push({ path: name, message });
  }
  if (name !== "" && name !== "__proto__") return problems;
  return [
    { path: name, message: `a field cannot have the name ${JSON.stringify(name)}` },
    ...problems,
  ];
}

/**
 * Returns the CEL rules that keep immutable optional fields from being added or removed, and
 * `once-set` fields from being removed.
 */
function presenceRules(nodes: Nodes): Rule[] {
  return nodes
    .filter(([, { immutable, presence }]) => immutable !== false && presence === "optional")
    .map(([name, { immutable }]) => {
      const [before, after] = [`has(oldSelf.${celField(name)})`, `has(self.${celField(name)})`];
      return immutable === "once-set"
        ? { rule: `!${before} || ${after}`, message: `${name} cannot be removed once it is set` }
        : { rule: `${before} == ${after}`, message: `${name} cannot be added or removed` };
    });
}
