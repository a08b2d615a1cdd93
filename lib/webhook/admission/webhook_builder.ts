// Mirrors sigs.k8s.io/controller-runtime/pkg/builder/webhook.go, WebhookBuilder.
import type { V1Scale } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject, ResourceType, UnstructuredObject } from "@xca/apimachinery/meta";
import { checkResourceType } from "../../controller/definition/builder_checks.ts";
import type {
  ObjectRule,
  ObjectRuleScope,
  WebhookOperation,
  WebhookRegistration,
} from "../../controller/definition/operator_webhook.ts";
import { checkFunction } from "../../controller/definition/value_checks.ts";
import type { Defaulter, Validator } from "./admission_context.ts";
import { checkRule, type RuleOptions } from "./object_rule.ts";
import { checkValidator, checkWebhookOptions } from "./option_checks.ts";
import { mutatePath, validatePath } from "./paths.ts";
import type { WebhookDefinition, WebhookForOptions, WebhookOptions } from "./webhook_definition.ts";

/** The checked settings and functions from which a {@linkcode WebhookBuilder} is created. */
interface Parts<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly options: WebhookForOptions;
  readonly defaulting?: Defaulter<T>;
  readonly validating?: Validator<T>;
  readonly registrations: readonly WebhookRegistration[];
  readonly rules: readonly ObjectRule[];
}

/** The admission operations of a validator's functions, by the names of the functions. */
const OPERATION_OF: Readonly<Record<keyof Validator<KubeObject>, WebhookOperation>> = {
  create: "CREATE",
  update: "UPDATE",
  delete: "DELETE",
  connect: "CONNECT",
};

/**
 * A builder of the webhooks of one resource, which is also their {@linkcode WebhookDefinition};
 * {@linkcode webhookFor} creates the first. Each method returns a new builder and leaves this one
 * unchanged.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { webhookFor } from "@xca/operator/webhook";
 *
 * const plain = webhookFor(ConfigMap);
 * const guarded = plain.validator({ update: () => {}, delete: () => {} });
 * assert.deepEqual(guarded.registrations[0]?.match.operations, ["UPDATE", "DELETE"]);
 * assert.equal(plain.registrations.length, 0); // unchanged
 * ```
 */
export class WebhookBuilder<T extends KubeObject> implements WebhookDefinition<T> {
  /** The resource whose requests the webhooks handle. */
  readonly type: ResourceType<T>;
  /** The subresource whose requests the webhooks handle; empty for the objects themselves. */
  readonly subresource: string;
  /**
   * The registrations of the webhooks with the API server, in the order in which they were added:
   * at most one for a defaulter and one for a validator.
   */
  readonly registrations: readonly WebhookRegistration[];
  /** The validation rules in CEL for the objects of the webhooks' resource. */
  readonly rules: readonly ObjectRule[];
  /**
   * The failure policy, versions, selectors, conditions and parameters with which an admission
   * policy evaluates the rules that no CustomResourceDefinition contains.
   */
  readonly ruleScope: ObjectRuleScope;
  /** The function that sets the defaults of objects; `undefined` for none. */
  readonly defaulting: Defaulter<T> | undefined;
  /** The functions that validate requests, by operation; `undefined` for none. */
  readonly validating: Validator<T> | undefined;
  readonly #parts: Parts<T>;

  /** Creates a webhook builder from checked settings and functions; use {@linkcode webhookFor}. */
  constructor(parts: Parts<T>) {
    this.#parts = parts;
    this.type = parts.type;
    this.subresource = parts.options.subresource ?? "";
    this.registrations = Object.freeze([...parts.registrations]);
    this.rules = Object.freeze([...parts.rules]);
    this.ruleScope = Object.freeze(ruleScopeOf(parts));
    this.defaulting = parts.defaulting;
    this.validating = parts.validating;
    Object.freeze(this);
  }

  /**
   * Adds the function that sets the defaults of objects, served as a mutating webhook. The options
   * override those of {@linkcode webhookFor}.
   *
   * @throws {TypeError} When there is a defaulter already, `defaulting` is not a function, an
   * option is unknown or of the wrong type, or a list is malformed.
   * @throws {RangeError} When an option of the right type has a value that the API server does not
   * accept.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { ConfigMap } from "@xca/operator/meta";
   * import { admit, webhookFor } from "@xca/operator/webhook";
   *
   * const filled = webhookFor(ConfigMap)
   *   .defaulter(({ object }) => void (object.data ??= { mode: "slow" }));
   * const { object } = await admit(filled, { object: { metadata: { name: "web" } } });
   * assert.deepEqual(object?.data, { mode: "slow" });
   * ```
   */
  defaulter(defaulting: Defaulter<T>, options: WebhookOptions = {}): WebhookBuilder<T> {
    const failure = failureOf(this.type);
    checkFunction(defaulting, `${failure}: the defaulter`);
    if (this.defaulting) throw new TypeError(`${failure}: it has a defaulter already`);
    const registration = this.#registration("mutating", options, ["CREATE", "UPDATE"]);
    return this.#with({ defaulting, registrations: [...this.registrations, registration] });
  }

  /**
   * Adds the functions that validate requests, served as a validating webhook. The options override
   * those of {@linkcode webhookFor}; the operations are those of the functions.
   *
   * @throws {TypeError} When there is a validator already, one of `validating` is not a function or
   * unknown, an option is unknown or of the wrong type, or a list is malformed.
   * @throws {RangeError} When an option of the right type has a value that the API server does not
   * accept.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { Secret } from "@xca/operator/meta";
   * import { admit, field, webhookFor } from "@xca/operator/webhook";
   *
   * const fixed = webhookFor(Secret).validator({
   *   update: ({ object, oldObject }) =>
   *     object.type === oldObject.type ? [] : [field.forbidden("type", "it must not change")],
   * });
   * const metadata = { name: "key", namespace: "default" };
   * const { message } = await admit(fixed, {
   *   object: { metadata, type: "b" },
   *   oldObject: { metadata, type: "a" },
   * });
   * assert.equal(message, 'Secret "key" is invalid: type: Forbidden: it must not change');
   * ```
   */
  validator(
    validating: Validator<T>,
    options: Omit<WebhookOptions, "operations" | "reinvocationPolicy"> = {},
  ): WebhookBuilder<T> {
    const failure = failureOf(this.type);
    checkValidator(failure, validating);
    if (this.validating) throw new TypeError(`${failure}: it has a validator already`);
    const operations = Object.entries(OPERATION_OF)
      .filter(([name]) => validating[name as keyof Validator<T>] !== undefined)
      .map(([, operation]) => operation);
    const registration = this.#registration("validating", options, operations);
    return this.#with({ validating, registrations: [...this.registrations, registration] });
  }

  /**
   * Adds a rule in CEL, which needs no server: `defineOperator` puts the rule into the
   * CustomResourceDefinition of the kind, in the schema of the resource type's version; for other
   * kinds, or if the rule refers to `params`, the rule becomes a ValidatingAdmissionPolicy
   * ({@linkcode policiesOf}). A rule that refers to `oldSelf` is evaluated only on updates.
   *
   * @throws {TypeError} When the rule is empty or one of its options is invalid, or the webhook is
   * for a subresource. The expression itself is checked by {@linkcode checkRules}.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { Deployment } from "@xca/operator/meta";
   * import { webhookFor } from "@xca/operator/webhook";
   *
   * const few = webhookFor(Deployment).rule("self.spec.replicas <= 10", {
   *   message: "at most ten replicas are allowed",
   *   fieldPath: ".spec.replicas",
   * });
   * assert.equal(few.registrations.length, 0);
   * assert.equal(few.rules.length, 1);
   * ```
   */
  rule(rule: string, options: RuleOptions): WebhookBuilder<T> {
    const failure = failureOf(this.type);
    if (this.subresource !== "") {
      throw new TypeError(`${failure}: a rule is about the objects, not a subresource of them`);
    }
    const hasParameters = this.ruleScope.parameters !== undefined;
    const checked = checkRule(failure, rule, options, { hasParameters });
    return this.#with({ rules: [...this.rules, checked] });
  }

  #with(changes: Partial<Parts<T>>): WebhookBuilder<T> {
    return new WebhookBuilder({ ...this.#parts, ...changes });
  }

  #registration(
    kind: WebhookRegistration["kind"],
    options: WebhookOptions,
    operations: readonly WebhookOperation[],
  ): WebhookRegistration {
    const { type, subresource } = this;
    checkWebhookOptions(failureOf(type), options);
    const all: WebhookOptions = { ...this.#parts.options, ...options };
    const isMutating = kind === "mutating";
    const path = (isMutating ? mutatePath : validatePath)(type, subresource);
    const verb = isMutating ? "mutate" : "validate";
    return Object.freeze({
      kind,
      name: [verb, ...(subresource === "" ? [] : [subresource]), type.id].join("."),
      path: all.path ?? path,
      match: Object.freeze({
        apiGroups: [type.group],
        apiVersions: all.versions ?? [type.version],
        resources: [subresource === "" ? type.plural : `${type.plural}/${subresource}`],
        operations: all.operations ?? operations,
        scope: type.scope,
      }),
      failurePolicy: all.failurePolicy ?? "Fail",
      sideEffects: all.sideEffects ?? "None",
      matchPolicy: all.matchPolicy ?? "Equivalent",
      timeoutSeconds: all.timeoutSeconds ?? 10,
      namespaceSelector: all.namespaceSelector,
      objectSelector: all.objectSelector,
      matchConditions: all.matchConditions ?? [],
      reinvocationPolicy: isMutating ? all.reinvocationPolicy ?? "Never" : undefined,
    });
  }
}

function ruleScopeOf<T extends KubeObject>({ type, options }: Parts<T>): ObjectRuleScope {
  return {
    failurePolicy: options.failurePolicy ?? "Fail",
    matchPolicy: options.matchPolicy ?? "Equivalent",
    versions: options.versions ?? [type.version],
    namespaceSelector: options.namespaceSelector,
    objectSelector: options.objectSelector,
    matchConditions: options.matchConditions ?? [],
    ...(options.parameters && { parameters: Object.freeze({ ...options.parameters }) }),
  };
}

function failureOf(type: ResourceType): string {
  return `Cannot build a webhook for ${type.kind}`;
}

/**
 * Returns a builder of the webhooks of a resource: a defaulter, a validator, rules in CEL. The result is
 * for `webhooks` of `defineOperator` and of {@linkcode webhookServer}; {@linkcode admit} calls it in a
 * test.
 *
 * @throws {TypeError} When `type` is not a resource type, an option is unknown or of the wrong type,
 * or a list or the parameters are malformed.
 * @throws {RangeError} When an option of the right type has a value that the API server does not
 * accept.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { type KubeObject, resourceType } from "@xca/operator/meta";
 * import { admit, field, webhookFor } from "@xca/operator/webhook";
 *
 * interface Desktop extends KubeObject {
 *   spec: { image: string; replicas?: number };
 * }
 * const Desktop = resourceType<Desktop>({
 *   group: "example.com",
 *   version: "v1",
 *   kind: "Desktop",
 *   plural: "desktops",
 * });
 * const webhook = webhookFor(Desktop, { timeoutSeconds: 5 })
 *   .defaulter(({ object }) => void (object.spec.replicas ??= 1))
 *   .validator({
 *     create: ({ object, warn }) => {
 *       if (object.spec.image.endsWith(":latest")) warn("the image may change at any time");
 *       if (object.spec.image === "") return [field.required("spec.image")];
 *     },
 *   });
 * const desktop = { metadata: { name: "a", namespace: "default" }, spec: { image: "x:latest" } };
 * const { allowed, object, warnings } = await admit(webhook, { object: desktop });
 * assert.deepEqual([allowed, object?.spec.replicas], [true, 1]);
 * assert.deepEqual(warnings, ["the image may change at any time"]);
 * ```
 */
export function webhookFor(
  type: ResourceType,
  options: WebhookForOptions & { readonly subresource: "scale" },
): WebhookBuilder<V1Scale>;
/** Returns a builder of the webhooks of a resource, or of its subresource `status`. */
export function webhookFor<T extends KubeObject>(
  type: ResourceType<T>,
  options?: WebhookForOptions & { readonly subresource?: "status" | undefined },
): WebhookBuilder<T>;
/** Returns a builder of the webhooks of a subresource other than `status` and `scale`. */
export function webhookFor(
  type: ResourceType,
  options: WebhookForOptions,
): WebhookBuilder<UnstructuredObject>;
export function webhookFor<T extends KubeObject>(
  type: ResourceType<T>,
  options: WebhookForOptions = {},
): WebhookBuilder<T> {
  checkResourceType(type, "Cannot build a webhook");
  checkWebhookOptions(failureOf(type), options);
  return new WebhookBuilder<T>({ type, options, registrations: [], rules: [] });
}
