// Mirrors `pod-security-admission/admission/admission.go, Admission.EvaluatePodsInNamespace`.
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import { checkedPod } from "./pod_parts.ts";
import { type Standard, standardText } from "./policy_labels.ts";
import { reasonsText, violationsOf } from "./standards.ts";

/**
 * The maximum number of existing pods that are checked when the pod security policy of a namespace
 * changes.
 */
const MOST = 3000;

/**
 * Returns the warnings about existing pods that the new, stricter pod security standard of their
 * namespace would not admit. Pods with the same violations share a warning. At most 3,000 pods are
 * checked; a further warning says so if there are more.
 */
export function existingPodsWarnings(
  namespace: string,
  standard: Standard,
  pods: readonly ApiObject[],
): string[] {
  const checked = onePerControllerFirst(pods).slice(0, MOST);
  const byReasons = new Map<string, string[]>();
  for (const pod of checked) {
    const reasons = reasonsText(violationsOf(standard, checkedPod(pod)));
    if (reasons === "") continue;
    byReasons.set(reasons, [...byReasons.get(reasons) ?? [], pod.metadata.name!]);
  }
  const warnings: string[] = [];
  if (checked.length < pods.length) {
    warnings.push(
      "new PodSecurity enforce level only checked against the first " +
        `${checked.length} of ${pods.length} existing pods`,
    );
  }
  if (byReasons.size === 0) return warnings;
  warnings.push(
    `existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ` +
      goQuote(standardText(standard)),
  );
  const lines = [...byReasons].map(([reasons, names]) => `${namesText(names)}: ${reasons}`);
  return [...warnings, ...lines.sort()];
}

/**
 * Returns pods in an order in which the pods without a controller and the first pod of each
 * controller come before all others, since pods of one controller are alike.
 */
function onePerControllerFirst(pods: readonly ApiObject[]): ApiObject[] {
  const seen = new Set<string>();
  const { first = [], later = [] } = Object.groupBy(pods, ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller);
    if (!owner) return "first";
    if (seen.has(owner.uid)) return "later";
    seen.add(owner.uid);
    return "first";
  });
  return [...first, ...later];
}

/**
 * Formats pod names as the first name and the number of the other pods, such as
 * `a (and 2 other pods)`.
 */
function namesText(names: readonly string[]): string {
  const first = [...names].sort()[0]!;
  if (names.length === 1) return first;
  return names.length === 2
    ? `${first} (and 1 other pod)`
    : `${first} (and ${names.length - 1} other pods)`;
}
