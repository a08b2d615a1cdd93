/**
 * Pod security checks of the profiles that restrict system calls: AppArmor, seccomp, SELinux.
 * Mirrors `policy/check_seccompProfile_baseline.go, CheckSeccompBaseline` and its siblings.
 *
 * @module
 */
import { goQuote } from "@xca/apimachinery/internal/values";
import {
  containersText,
  plural,
  type PodCheck,
  type PodOrContainerContext,
  quoted,
  settersText,
  sorted,
  type Violation,
} from "../check.ts";
import type { CheckedPod } from "../pod_parts.ts";

const APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_PREFIX = "container.seccomp.security.alpha.kubernetes.io/";
const LOCAL = "localhost/";
const PROFILE_TYPES = ["RuntimeDefault", "Localhost"];

/** Returns the values of one field in the security contexts of a pod and its containers. */
function valuesOf(
  { spec, containers }: CheckedPod,
  field: (context: PodOrContainerContext) => string | undefined,
): string[] {
  return [spec, ...containers]
    .map(({ securityContext }) => securityContext && field(securityContext))
    .filter((value) => value !== undefined);
}

/**
 * Returns the pod security violation of a pod that sets AppArmor profiles other than
 * `RuntimeDefault` and `Localhost`, in fields or annotations; `undefined` if the pod sets none.
 */
export function appArmorProfile(pod: CheckedPod): Violation | undefined {
  const badType = ({ appArmorProfile }: PodOrContainerContext): string | undefined =>
    appArmorProfile && !PROFILE_TYPES.includes(appArmorProfile.type)
      ? appArmorProfile.type
      : undefined;
  const values = sorted(valuesOf(pod, badType));
  const setters = [settersText(pod, (context) => badType(context) !== undefined)];
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) =>
      key.startsWith(APP_ARMOR_PREFIX) && value !== "" && value !== "runtime/default" &&
      !value.startsWith(LOCAL)
    )
    .map(([key, value]) => `${key}=${goQuote(value)}`);
  if (annotations.length > 0) {
    values.push(...annotations.sort());
    setters.push(plural(annotations.length, "annotation"));
  }
  const who = setters.filter((text) => text !== "").join(" and ");
  if (who === "") return undefined;
  return {
    reason: plural(values.length, "forbidden AppArmor profile"),
    detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

/**
 * Returns the pod security violation of a pod that sets seccomp profiles other than
 * `runtime/default`, `docker/default` and `localhost/...` in annotations, which preceded the
 * fields; `undefined` if the pod sets none.
 */
export function seccompAnnotations({ annotations, containers }: CheckedPod): Violation | undefined {
  const keys = [SECCOMP_POD, ...containers.map(({ name }) => SECCOMP_PREFIX + name)];
  const forbidden = sorted(keys.flatMap((key) => {
    const value = annotations[key];
    const allowed = value === undefined || value === "runtime/default" ||
      value === "docker/default" || value.startsWith(LOCAL);
    return allowed ? [] : [`${key}=${goQuote(value)}`];
  }));
  if (forbidden.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `forbidden ${plural(forbidden.length, "annotation")} ${forbidden.join(", ")}`,
  };
}

function badSeccomp({ seccompProfile }: PodOrContainerContext): string | undefined {
  return seccompProfile && !PROFILE_TYPES.includes(seccompProfile.type)
    ? seccompProfile.type
    : undefined;
}

/**
 * Returns the pod security violation of a pod that sets seccomp profiles other than
 * `RuntimeDefault` and `Localhost` in fields; `undefined` if the pod sets none.
 */
export function seccompProfile(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, (context) => badSeccomp(context) !== undefined);
  if (setters === "") return undefined;
  const values = quoted(sorted(valuesOf(pod, badSeccomp)));
  return {
    reason: "seccompProfile",
    detail: `${setters} must not set securityContext.seccompProfile.type to ${values}`,
  };
}

/**
 * Returns the pod security violation of a pod that sets seccomp profiles other than
 * `RuntimeDefault` and `Localhost`, or sets none for itself and has containers without one;
 * `undefined` if there is no violation.
 */
export function requiredSeccompProfile(pod: CheckedPod): Violation | undefined {
  const forbidden = seccompProfile(pod);
  if (forbidden || pod.spec.securityContext?.seccompProfile) return forbidden;
  const without = pod.containers.filter(({ securityContext }) => !securityContext?.seccompProfile);
  if (without.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containersText(without)} must set securityContext.seccompProfile.type to ` +
      '"RuntimeDefault" or "Localhost"',
  };
}

/**
 * Returns a pod security check that forbids SELinux users and roles, and all SELinux types but the
 * allowed ones.
 */
export function seLinuxOptions(...allowedTypes: readonly string[]): PodCheck {
  const badType = ({ seLinuxOptions: { type = "" } = {} }: PodOrContainerContext) =>
    type === "" || allowedTypes.includes(type) ? undefined : type;
  const isSet = (value: string | undefined): boolean => value !== undefined && value !== "";
  return (pod) => {
    const setters = settersText(
      pod,
      (context) =>
        badType(context) !== undefined || isSet(context.seLinuxOptions?.user) ||
        isSet(context.seLinuxOptions?.role),
    );
    if (setters === "") return undefined;
    const types = sorted(valuesOf(pod, badType));
    const bad: string[] = [];
    if (types.length > 0) bad.push(`${plural(types.length, "type")} ${quoted(types)}`);
    for (const field of ["user", "role"] as const) {
      if (valuesOf(pod, ({ seLinuxOptions }) => seLinuxOptions?.[field]).some(isSet)) {
        bad.push(`${field} may not be set`);
      }
    }
    return {
      reason: "seLinuxOptions",
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${bad.join("; ")}`,
    };
  };
}
