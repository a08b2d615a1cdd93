import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";

/** A question about resources, as reviews put it. */
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
  readonly requirements?: readonly unknown[];
}

/** A question about a path that is no resource. */
export interface NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}

/** The spec of a review of access. */
export interface ReviewSpec {
  readonly resourceAttributes?: ResourceAttributes | null;
  readonly nonResourceAttributes?: NonResourceAttributes | null;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const SPEC = FieldPath.of("spec");

/** What is wrong with the questions of a review. */
export function* wrongQuestions(spec: ReviewSpec): Iterable<FieldError> {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes && nonResourceAttributes) {
    const why = "cannot be specified in combination with resourceAttributes";
    yield invalid(SPEC.child("nonResourceAttributes"), asShown(nonResourceAttributes), why);
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    yield invalid(SPEC.child("resourceAttributes"), null, why);
  }
}

/** What is wrong with whom a review is about. */
export function* wrongSubject({ user, groups }: ReviewSpec): Iterable<FieldError> {
  if (!user && !groups?.length) {
    yield invalid(SPEC.child("user"), "", "at least one of user or group must be specified");
  }
}

/** What is wrong with the selectors of a question about resources. */
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

/** The real server shows its inner form of it, whose fields are in capitals. */
export function asShown({ path = "", verb = "" }: NonResourceAttributes): unknown {
  return { Path: path, Verb: verb };
}

/** What a review asks, about a user. Selectors count for nothing here, as for roles everywhere. */
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
  };
}

/** Whom a review is about. */
export function subjectOf({ user = "", groups = [], uid, extra }: ReviewSpec): RequestUser {
  return { name: user, groups, ...(uid && { uid }), ...(extra && { extra }) };
}
