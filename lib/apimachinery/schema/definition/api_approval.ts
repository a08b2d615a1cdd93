// Mirrors `apihelpers/helpers.go, GetAPIApprovalState`.
import { type FieldError, invalid, required } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { goQuote } from "../../values/go_text.ts";
import type { CustomResourceDefinition, DefinitionCondition } from "./definition.ts";

const ANNOTATION = "api-approved.kubernetes.io";
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

/**
 * The state of a CustomResourceDefinition's API approval, and the text about it, which is the
 * message of the condition `KubernetesAPIApprovalPolicyConformant`.
 */
interface Approval {
  readonly state: "Invalid" | "Missing" | "Approved" | "Unapproved";
  readonly reason: string;
}

/**
 * Reports whether an API group belongs to Kubernetes (`k8s.io`, `kubernetes.io` and their
 * subdomains), so that its APIs need an approval.
 */
function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

function approvalOf({ metadata }: CustomResourceDefinition): Approval {
  const value = metadata.annotations?.[ANNOTATION] ?? "";
  const must = `protected groups must have approval annotation ${goQuote(ANNOTATION)}`;
  if (value === "") return { state: "Missing", reason: `${must}, ${SEE}` };
  if (value.startsWith("unapproved")) {
    return { state: "Unapproved", reason: `not approved: ${goQuote(value)}` };
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]\S*$/.test(value)) {
    return { state: "Approved", reason: `approved in ${value}` };
  }
  const either = 'with either a URL or a reason starting with "unapproved"';
  return { state: "Invalid", reason: `${must} ${either}, ${SEE}` };
}

/**
 * Returns the field error of the API approval annotation of a CustomResourceDefinition, in a list.
 * The list is empty when the annotation is valid (a URL, or a text that begins with `unapproved`),
 * the group needs no approval, or `old` has the same state of approval.
 */
export function approvalErrors(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtected(definition.spec.group ?? "")) return [];
  const { state, reason } = approvalOf(definition);
  if (old && approvalOf(old).state === state) return [];
  const path = FieldPath.of("metadata", "annotations").key(ANNOTATION);
  if (state === "Missing") return [required(path, reason)];
  if (state !== "Invalid") return [];
  return [invalid(path, definition.metadata.annotations?.[ANNOTATION] ?? "", reason)];
}

/**
 * Returns the condition about the API approval of a CustomResourceDefinition; `undefined` for
 * groups that need none.
 */
export function approvalCondition(
  definition: CustomResourceDefinition,
): DefinitionCondition | undefined {
  if (!isProtected(definition.spec.group)) return undefined;
  const { state, reason } = approvalOf(definition);
  return {
    type: "KubernetesAPIApprovalPolicyConformant",
    status: state === "Approved" ? "True" : "False",
    reason: `${state}Annotation`,
    message: reason,
  };
}
