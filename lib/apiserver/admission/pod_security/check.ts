// Mirrors `pod-security-admission/policy/checks.go, CheckResult` and
// `pod-security-admission/policy/helpers.go, pluralize`.
import type { CheckedPod, Container, PodSpec, SecurityContext } from "./pod_parts.ts";

/** A record of a violation of a pod security standard by a pod. */
export interface Violation {
  /** The short name of a pod security violation, such as `hostPort`. */
  readonly reason: string;
  /**
   * The text about the pod fields that violate the pod security standard, such as `hostPID=true`.
   */
  readonly detail: string;
}

/** A check of the pod security standards: returns the violation of a pod, or `undefined`. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined;

/** Returns the singular of a word for a count of 1, otherwise the plural. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Formats texts as `"a", "b"`, without escapes, like kube-apiserver. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(", ");
}

/** Returns the distinct texts of a list, sorted. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** Formats container names as `container "a"` or `containers "a", "b"`. */
export function containersText(containers: readonly Container[]): string {
  return `${plural(containers.length, "container")} ${quoted(containers.map(({ name }) => name))}`;
}

/** The fields of a security context that exist in both pods and containers. */
export type PodOrContainerContext = Pick<
  SecurityContext,
  keyof SecurityContext & keyof NonNullable<PodSpec["securityContext"]>
>;

/**
 * Formats the pod and the names of its containers whose security context meets a condition, as
 * `pod and containers "a", "b"`. Returns an empty text if none does.
 */
export function settersText(
  { spec, containers }: CheckedPod,
  isBad: (context: PodOrContainerContext) => boolean,
): string {
  const setters: string[] = [];
  if (spec.securityContext && isBad(spec.securityContext)) setters.push("pod");
  const bad = containers.filter(({ securityContext }) => securityContext && isBad(securityContext));
  if (bad.length > 0) setters.push(containersText(bad));
  return setters.join(" and ");
}

/**
 * Returns a pod security check without effect on pods for Windows, which do not support the checked
 * fields.
 */
export function exceptWindows(check: PodCheck): PodCheck {
  return (pod) => pod.spec.os?.name === "windows" ? undefined : check(pod);
}

/** Returns a pod security check without effect on pods that have a user namespace. */
export function exceptInUserNamespace(check: PodCheck): PodCheck {
  return (pod) => pod.spec.hostUsers === false ? undefined : check(pod);
}
