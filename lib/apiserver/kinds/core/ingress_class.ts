import {
  declared,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsSubdomainProblems,
  invalidForEach,
  labelNameProblems,
  patternProblem,
} from "@xca/apimachinery/internal/validation";
import type { V1IngressClass } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { validateImmutable } from "../../validation/immutable.ts";
import { beginGeneration, countGeneration } from "./generation.ts";
import { validateReference } from "./ingress.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Parameters = NonNullable<NonNullable<V1IngressClass["spec"]>["parameters"]>;

const SPEC = FieldPath.of("spec");
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/**
 * The strategy of IngressClasses, which sets defaults, prepares objects for storage and validates
 * writes (registry/networking/ingressclass, `Strategy`).
 */
export const ingressClassStrategy: KindStrategy = typedStrategy<V1IngressClass>({
  defaults(object) {
    object.spec ??= {};
    if (object.spec.parameters) object.spec.parameters.scope ??= "Cluster";
  },
  prepareForCreate: beginGeneration,
  validateCreate: validate,
  prepareForUpdate: (object, old) => countGeneration(object, old, object.spec, old.spec),
  validateUpdate: (object, old) => [
    ...validateImmutable(
      object.spec?.controller ?? "",
      old.spec?.controller ?? "",
      SPEC.child("controller"),
    ),
    ...validate(object),
  ],
});

function validate({ spec }: V1IngressClass): FieldError[] {
  const { controller = "", parameters } = spec ?? {};
  const path = SPEC.child("controller");
  const errors: FieldError[] = [];
  if (byteLength(controller) > 250) errors.push(tooLong(path, 250));
  errors.push(...validateDomainPath(path, controller));
  if (parameters) errors.push(...validateParameters(parameters));
  return errors;
}

/**
 * Validates the controller's name of an IngressClass: a path with a domain prefix, such as
 * `example.com/controller`.
 */
function validateDomainPath(path: FieldPath, text: string): FieldError[] {
  if (text === "") return [required(path)];
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  const errors = invalidForEach(path, host, dnsSubdomainProblems(host));
  if (!new RegExp(`^${HTTP_PATH}$`).test(rest)) {
    errors.push(invalid(path, rest, patternProblem("Invalid path", HTTP_PATH)));
  }
  return errors;
}

function validateParameters(parameters: Parameters): FieldError[] {
  const path = SPEC.child("parameters");
  const errors = validateReference(parameters, path).flatMap((error) =>
    error.type === "FieldValueRequired" ? declared(error) : [error]
  );
  const { scope = "", namespace } = parameters;
  const at = path.child("namespace");
  if (scope === "Namespace") {
    if (namespace === undefined) {
      errors.push(required(at, "`parameters.scope` is set to 'Namespace'"));
    } else errors.push(...invalidForEach(at, namespace, labelNameProblems(namespace, false)));
  } else if (scope !== "Cluster") {
    errors.push(notSupported(path.child("scope"), scope, ["Cluster", "Namespace"]));
  } else if (namespace !== undefined) {
    errors.push(forbiddenField(at, "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}
