// Mirrors `admission/plugin/cel/compile.go, compiler.CompileCELExpression` and
// `admission/plugin/cel/activation.go, evaluationActivation`.
import { type CelType, DYN } from "@xca/apimachinery/internal/cel";
import {
  AuthorizerValue,
  CelError,
  type CelValue,
  compile,
  CompileFailure,
  type Environment,
  mutationFunctions,
  MutationTypes,
  namedType,
  parseType,
  type Program,
  standardFunctions,
  untypedValue,
} from "@xca/apimachinery/internal/cel/expressions";
import type { Json } from "@xca/apimachinery/internal/values";
import { type ExpressionInput, requestObject } from "./request_object.ts";

/**
 * The scope of a CEL expression of a policy or webhook: the variables that the expression can use
 * in addition to `object`, `oldObject`, `namespaceObject` and `request`.
 */
export interface ExpressionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The CEL types of the variables that an admission policy declares, by name. */
  readonly variables?: ReadonlyMap<string, CelType>;
  /**
   * Sets whether the CEL expression is a mutation, which may construct patches.
   *
   * @default {false}
   */
  readonly isMutation?: boolean;
}

function fields(text: string): ReadonlyMap<string, CelType> {
  return new Map(
    text.split(";").map((field) => {
      const [name = "", type = ""] = field.split(":").map((part) => part.trim());
      return [name, parseType(type)];
    }),
  );
}

const KIND = "group: string; version: string; kind: string";
const RESOURCE = "group: string; version: string; resource: string";

/**
 * The CEL struct types of the variables `request` and `namespaceObject`: the types of their fields,
 * by the name of the struct type.
 */
const STRUCTS: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map([
  ["kubernetes.GroupVersionKind", fields(KIND)],
  ["kubernetes.GroupVersionResource", fields(RESOURCE)],
  [
    "kubernetes.UserInfo",
    fields(
      "username: string; uid: string; groups: list(string); extra: map(string, list(string))",
    ),
  ],
  [
    "kubernetes.AdmissionRequest",
    fields(
      "kind: kubernetes.GroupVersionKind; resource: kubernetes.GroupVersionResource; " +
        "subResource: string; requestKind: kubernetes.GroupVersionKind; " +
        "requestResource: kubernetes.GroupVersionResource; requestSubResource: string; " +
        "name: string; namespace: string; operation: string; userInfo: kubernetes.UserInfo; " +
        "dryRun: bool; options: dyn",
    ),
  ],
  ["kubernetes.NamespaceSpec", fields("finalizers: list(string)")],
  [
    "kubernetes.NamespaceCondition",
    fields(
      "status: string; type: string; lastTransitionTime: timestamp; message: string; reason: string",
    ),
  ],
  [
    "kubernetes.NamespaceStatus",
    fields("conditions: list(kubernetes.NamespaceCondition); phase: string"),
  ],
  [
    "kubernetes.NamespaceMetadata",
    fields(
      "name: string; generateName: string; namespace: string; labels: map(string, string); " +
        "annotations: map(string, string); UID: string; creationTimestamp: timestamp; " +
        "deletionGracePeriodSeconds: int; deletionTimestamp: timestamp; generation: int; " +
        "resourceVersion: string; finalizers: list(string)",
    ),
  ],
  [
    "kubernetes.Namespace",
    fields(
      "metadata: kubernetes.NamespaceMetadata; spec: kubernetes.NamespaceSpec; " +
        "status: kubernetes.NamespaceStatus",
    ),
  ],
]);

const VARIABLES_TYPE = "kubernetes.variables";

function environment(scope: ExpressionScope): Environment {
  const { hasParams, hasAuthorizer, variables, isMutation } = scope;
  const declared = new Map<string, CelType>([
    ["object", DYN],
    ["oldObject", DYN],
    ["namespaceObject", namedType("kubernetes.Namespace")],
    ["request", namedType("kubernetes.AdmissionRequest")],
  ]);
  if (hasParams) declared.set("params", DYN);
  if (hasAuthorizer) {
    declared.set("authorizer", namedType("kubernetes.authorization.Authorizer"));
    declared.set(
      "authorizer.requestResource",
      namedType("kubernetes.authorization.ResourceCheck"),
    );
  }
  const structs = isMutation ? new MutationTypes(STRUCTS) : new Map(STRUCTS);
  if (variables) {
    declared.set("variables", namedType(VARIABLES_TYPE));
    structs.set(VARIABLES_TYPE, variables);
  }
  return {
    variables: declared,
    structs,
    functions: isMutation ? mutationFunctions() : standardFunctions(),
  };
}

/** The reason why a CEL expression of a policy or webhook does not compile. */
export interface CompileProblem {
  readonly problem: string;
  /**
   * Reports whether the expression is valid, but no program can be made of the expression, which is
   * an internal error; false for an invalid expression or a wrong type.
   */
  readonly isInternal: boolean;
}

/**
 * Compiles a CEL expression of a policy or webhook. Returns the program, or a record with the error
 * message if the expression does not compile or its result has none of the given types. Without
 * types, the result may be of any type.
 */
export function compileExpression(
  source: string,
  scope: ExpressionScope,
  types: readonly CelType[] = [],
): Program | CompileProblem {
  const program = compile(source, environment(scope));
  if (program instanceof CompileFailure) {
    return {
      problem: `${program.stage} failed: ${program.text}`,
      isInternal: program.stage !== "compilation",
    };
  }
  const { type } = program;
  if (types.length > 0 && !types.some((each) => String(each) === String(type))) {
    const named = types.map((each) => each.name);
    const expected = named.length === 1 ? String(types[0]) : `one of [${named.join(" ")}]`;
    return { problem: `must evaluate to ${expected} but got ${type}`, isInternal: false };
  }
  return program;
}

/**
 * Returns a function that looks up the variables of a CEL expression by name, such as `object` and
 * `request`. Each value is computed at its first lookup; the value of an unknown name, and of the
 * authorizer if the input has none, is `undefined`.
 */
export function expressionVariables(
  input: ExpressionInput,
): (name: string) => CelValue | undefined {
  const known = new Map<string, CelValue | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, variable(name, input));
    return known.get(name);
  };
}

function json(value: unknown): CelValue {
  return untypedValue(value as Json | undefined);
}

function variable(name: string, input: ExpressionInput): CelValue | undefined {
  const { attributes, authorizer } = input;
  switch (name) {
    case "object":
      return json(input.object ?? null);
    case "oldObject":
      return json(input.old ?? null);
    case "params":
      return json(input.params ?? null);
    case "namespaceObject":
      return json(input.namespace ?? null);
    case "request":
      return json(requestObject(input));
    case "authorizer":
      return authorizer && new AuthorizerValue(authorizer, attributes.request.context.user);
    case "authorizer.requestResource":
      return authorizer &&
        new AuthorizerValue(authorizer, attributes.request.context.user).resourceCheck({
          group: attributes.resource.group,
          resource: attributes.resource.resource,
          subresource: attributes.subresource,
          namespace: attributes.namespace,
          name: attributes.name,
        });
    default:
      return undefined;
  }
}

/**
 * Returns the error message for the value of a CEL expression whose evaluation failed; `undefined`
 * for any other value.
 */
export function evaluationProblem(source: string, value: CelValue): string | undefined {
  return value instanceof CelError
    ? `expression '${source}' resulted in error: ${value.message}`
    : undefined;
}
