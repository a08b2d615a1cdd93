import type { CheckedPod, Container, PodSpec, SecurityContext } from "./pod_parts.ts";

/** What a standard forbids a pod. */
export interface Violation {
  /** In short. */
  readonly reason: string;
  /** Where, and what instead. */
  readonly detail: string;
}

/** Looks at one thing of a pod. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined;

/** The word for how many of something there are. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `"a", "b"`. What is in them is not escaped, nor is it by the real server. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(", ");
}

/** Each text once, in order. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(containers: readonly Container[]): string {
  return `${plural(containers.length, "container")} ${quoted(containers.map(({ name }) => name))}`;
}

/** The parts of a security context that a pod has as well as its containers. */
export type PodOrContainerContext = Pick<
  SecurityContext,
  keyof SecurityContext & keyof NonNullable<PodSpec["securityContext"]>
>;

/** Who of a pod sets something forbidden: `pod and containers "a", "b"`; empty when nobody does. */
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

/** A check that pods for Windows pass: they cannot say what it asks for. */
export function exceptWindows(check: PodCheck): PodCheck {
  return (pod) => pod.spec.os?.name === "windows" ? undefined : check(pod);
}

/** A check that pods pass which have a user namespace of their own. */
export function exceptInUserNamespace(check: PodCheck): PodCheck {
  return (pod) => pod.spec.hostUsers === false ? undefined : check(pod);
}
