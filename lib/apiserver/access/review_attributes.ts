// Mirrors `registry/authorization/util/helpers.go, AuthorizationAttributesFrom` and
// `apis/authorization/validation/validation.go, ValidateSubjectAccessReviewSpec`.
import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { validateLabelSelector } from "@xca/apimachinery/internal/validation";
import { parseLabelSelector } from "../request/label_selector.ts";

/**
 * The `spec.resourceAttributes` of an access review: the request for a resource that the review
 * asks about.
 */
export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly SelectorRequirement[];
}

interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/**
 * The `spec.nonResourceAttributes` of an access review: the request for a path outside of all
 * resources that the review asks about.
 */
export interface NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}

/** The `spec` of an access review, such as SubjectAccessReview. */
export interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes | null;
  readonly nonResourceAttributes?: NonResourceAttributes | null;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const SPEC = FieldPath.of("spec");

/**
 * Yields a validation error if an access review has both or neither of `resourceAttributes` and
 * `nonResourceAttributes`.
 */
export function* wrongQuestions(spec: ReviewSpec): Iterable<FieldError> {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (Boolean(resourceAttributes) !== Boolean(nonResourceAttributes)) return;
  const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  yield invalid(SPEC, nonResourceAttributes ? asShown(nonResourceAttributes) : null, why);
}

/** Yields a validation error if an access review names neither a user nor a group. */
export function* wrongSubject({ user, groups }: ReviewSpec): Iterable<FieldError> {
  if (!user && !groups?.length) {
    yield invalid(SPEC.child("user"), "", "at least one of user or group must be specified");
  }
}

/**
 * Yields a validation error for the label and for the field selector of an access review, if it has
 * both or neither of `rawSelector` and `requirements`.
 */
export function* wrongSelectors({ resourceAttributes }: ReviewSpec): Iterable<FieldError> {
  for (const name of ["fieldSelector", "labelSelector"] as const) {
    const selector = resourceAttributes?.[name];
    if (!selector) continue;
    const path = FieldPath.of("spec", "resourceAttributes", name);
    const { rawSelector = "", requirements = [] } = selector;
    if (rawSelector !== "" && requirements.length > 0) {
      const why = "may not specified at the same time as requirements";
      yield invalid(path.child("rawSelector"), rawSelector, why);
    }
    if (rawSelector === "" && requirements.length === 0) {
      const why = `when ${path} is specified, requirements or rawSelector is required`;
      yield required(path.child("requirements"), why);
    }
  }
}

/**
 * Returns the non-resource attributes of an access review as error messages show them: with the
 * field names of kube-apiserver's internal type.
 */
export function asShown({ path = "", verb = "" }: NonResourceAttributes): unknown {
  return { Path: path, Verb: verb };
}

/**
 * Returns the attributes of the request that an access review asks about, for authorization, with
 * the given user. The label selector is ignored, since no authorizer considers it.
 */
export function attributesOf(user: RequestUser, spec: ReviewSpec): AccessAttributes {
  const { resourceAttributes: about, nonResourceAttributes: path } = spec;
  return {
    user,
    verb: about?.verb ?? path?.verb ?? "",
    isResource: Boolean(about),
    group: about?.group ?? "",
    version: about?.version || "*",
    resource: about?.resource ?? "",
    subresource: about?.subresource ?? "",
    namespace: about?.namespace ?? "",
    name: about?.name ?? "",
    path: path?.path ?? "",
    fieldSelector: fieldSelectorOf(about?.fieldSelector ?? {}),
  };
}

/**
 * Returns the text of the field selector of an access review. Requirements that a field selector
 * cannot express are ignored (`fieldSelectorAsSelector`).
 */
function fieldSelectorOf({ rawSelector, requirements = [] }: SelectorAttributes): string {
  if (rawSelector) return rawSelector;
  const terms = requirements.filter((each) => isFieldTerm(each) && !/[,=!\\]/.test(each.key));
  return terms.map(({ key, operator, values }) =>
    `${key}${operator === "In" ? "=" : "!="}${values![0]!.replace(/[\\,=]/g, "\\$&")}`
  ).join(",");
}

function isFieldTerm({ operator, values = [] }: SelectorRequirement): boolean {
  return ["In", "NotIn"].includes(operator) && values.length === 1;
}

/** Reports whether a requirement of a label selector is valid (`labels.NewRequirement`). */
function isLabelTerm(requirement: SelectorRequirement): boolean {
  return validateLabelSelector({ matchExpressions: [requirement] }, FieldPath.root).length === 0;
}

/**
 * Returns the text about selectors of an access review that authorization ignores, or of which it
 * ignores requirements, since they are invalid; empty if there are none (`BuildEvaluationError`).
 */
export function ignoredSelectors({ resourceAttributes }: ReviewSpec): string {
  const { fieldSelector, labelSelector } = resourceAttributes ?? {};
  const ignored = [
    ["fieldSelector", ignoredPart(fieldSelector, parseFieldSelector, isFieldTerm)],
    ["labelSelector", ignoredPart(labelSelector, parseLabelSelector, isLabelTerm)],
  ].filter(([, part]) => part);
  return ignored.map(([name, part]) => `spec.resourceAttributes.${name} ${part} due to parse error`)
    .join("; ");
}

/** Returns how much of a selector authorization ignores; `undefined` for none. */
function ignoredPart(
  { rawSelector, requirements = [] }: SelectorAttributes = {},
  parse: (text: string) => unknown,
  isTerm: (requirement: SelectorRequirement) => boolean,
): "ignored" | "partially ignored" | undefined {
  try {
    parse(rawSelector ?? "");
  } catch {
    return "ignored";
  }
  const valid = requirements.filter(isTerm).length;
  if (valid === requirements.length) return undefined;
  return valid === 0 ? "ignored" : "partially ignored";
}

/** Returns the user, with groups and extra attributes, that a SubjectAccessReview asks about. */
export function subjectOf({ user = "", groups = [], uid, extra }: ReviewSpec): RequestUser {
  return { name: user, groups, ...(uid && { uid }), ...(extra && { extra }) };
}
