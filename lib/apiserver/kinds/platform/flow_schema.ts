import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  invalidForEach,
  labelNameProblems,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1FlowSchema } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateFlowConditions } from "./flow_conditions.ts";
import { FLOW_CONTROL } from "./flow_control.ts";
import { validateNonResourceRule, validateResourceRule } from "./flow_rules.ts";

type Rule = NonNullable<NonNullable<V1FlowSchema["spec"]>["rules"]>[number];
type Subject = Rule["subjects"][number];

const SPEC = FieldPath.of("spec");
const DEFAULT_PRECEDENCE = 1000;
const MAX_PRECEDENCE = 10_000;
const METHODS = ["ByNamespace", "ByUser"];

/**
 * The strategy of FlowSchemas, which sets defaults, prepares objects for storage and validates
 * writes (registry/flowcontrol/flowschema, `Strategy`).
 */
export const flowSchemaStrategy: KindStrategy = {
  ...FLOW_CONTROL,
  ...typedStrategy<V1FlowSchema>({
    defaults({ spec }) {
      if (spec) spec.matchingPrecedence ||= DEFAULT_PRECEDENCE;
    },
    validateCreate: validate,
    validateUpdate: validate,
  }),
};

function validate({ metadata, spec, status }: V1FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence = DEFAULT_PRECEDENCE, distinguisherMethod: method } =
    spec ?? {};
  const errors: FieldError[] = [];
  const path = SPEC.child("matchingPrecedence");
  if (precedence <= 0) errors.push(invalid(path, precedence, "must be a positive value"));
  if (precedence > MAX_PRECEDENCE) {
    errors.push(invalid(path, precedence, `must not be greater than ${MAX_PRECEDENCE}`));
  }
  if (precedence === 1 && metadata?.name !== "exempt") {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(invalid(path, precedence, detail));
  }
  if (method && !METHODS.includes(method.type)) {
    const shown = { Type: method.type };
    errors.push(notSupported(SPEC.child("distinguisherMethod", "type"), shown, METHODS));
  }
  const at = SPEC.child("priorityLevelConfiguration", "name");
  const level = spec?.priorityLevelConfiguration?.name ?? "";
  if (level === "") errors.push(required(at, "must reference a priority level"));
  else errors.push(...invalidForEach(at, level, subdomainNameProblems(level, false)));
  const rules = (spec?.rules ?? []).flatMap((rule, index) =>
    validateRule(rule, SPEC.child("rules").index(index))
  );
  return [...errors, ...rules, ...validateFlowConditions(status?.conditions)];
}

function validateRule(rule: Rule, path: FieldPath): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? []; // An absent list is null.
  const errors = subjects.flatMap((subject, index) =>
    validateSubject(subject, path.child("subjects").index(index))
  );
  if (subjects.length === 0) {
    errors.push(required(path.child("subjects"), "subjects must contain at least one value"));
  }
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    const detail = "at least one of resourceRules and nonResourceRules has to be non-empty";
    errors.push(required(path, detail));
  }
  return [
    ...errors,
    ...resourceRules.flatMap((each, index) =>
      validateResourceRule(each, path.child("resourceRules").index(index))
    ),
    ...nonResourceRules.flatMap((each, index) =>
      validateNonResourceRule(each, path.child("nonResourceRules").index(index))
    ),
  ];
}

/**
 * The names of the fields that a FlowSchema's subject has, by the kind of subject. Fields of other
 * kinds are rejected in this order.
 */
const SUBJECTS = { ServiceAccount: "serviceAccount", User: "user", Group: "group" } as const;

function validateSubject(subject: Subject, path: FieldPath): FieldError[] {
  const kind = subject.kind as keyof typeof SUBJECTS;
  const field = SUBJECTS[kind];
  if (field === undefined) {
    return [
      notSupported(path.child("kind"), subject.kind ?? "", ["Group", "ServiceAccount", "User"]),
    ];
  }
  const errors = validateNamed(subject, kind, path.child(field));
  for (const [other, its] of Object.entries(SUBJECTS)) {
    if (its === field || !subject[its]) continue;
    const detail = `${its} is forbidden when subject kind is not '${other}'`;
    errors.push(forbiddenField(path.child(its), detail));
  }
  return errors;
}

function validateNamed(
  subject: Subject,
  kind: keyof typeof SUBJECTS,
  path: FieldPath,
): FieldError[] {
  const named = subject[SUBJECTS[kind]];
  if (!named) {
    return [required(path, `${SUBJECTS[kind]} is required when subject kind is '${kind}'`)];
  }
  const { name = "" } = named;
  const errors = name === "" ? [required(path.child("name"))] : [];
  if (kind !== "ServiceAccount") return errors;
  if (name !== "" && name !== "*") {
    errors.push(...invalidForEach(path.child("name"), name, subdomainNameProblems(name, false)));
  }
  const { namespace = "" } = subject.serviceAccount!;
  const at = path.child("namespace");
  if (namespace === "") {
    return [...errors, required(at, "must specify namespace for service account")];
  }
  return [...errors, ...invalidForEach(at, namespace, labelNameProblems(namespace, false))];
}
