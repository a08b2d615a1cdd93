/**
 * Validates the annotations of pods that the API server interprets, such as those that preceded the
 * fields for seccomp and AppArmor profiles (`core/validation/validation.go`,
 * `ValidatePodSpecificAnnotations`).
 *
 * @module
 */
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach } from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import { DELETION_COST, isDeletionCost } from "./common/deletion_cost.ts";
import { descendingPathProblems } from "./common/paths.ts";
import type { PodRules } from "./common/pod_rules.ts";
import { type Container, containersOf, type Meta, type PodSpec } from "./common/pod_types.ts";

/** The name of the annotation of a mirror pod, which represents a static pod of a node. */
export const MIRROR_POD = "kubernetes.io/config.mirror";
/** The name of the annotation with the seccomp profile of a pod. */
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
/** The prefix of the name of the annotation with the seccomp profile of a container. */
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
/** The prefix of the name of the annotation with the AppArmor profile of a container. */
export const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

const LOCALHOST = "localhost/";
type Annotations = Readonly<Record<string, string>>;
type Profile = NonNullable<NonNullable<Container["securityContext"]>["appArmorProfile"]>;

/** Validates the annotations of a pod that the API server interprets. */
export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!annotations) return [];
  const errors: FieldError[] = [];
  const mirror = annotations[MIRROR_POD];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalid(path.key(MIRROR_POD), mirror, detail));
  }
  if (!rules.allowInvalidDeletionCost && !isDeletionCost(annotations)) {
    const at = path.key(DELETION_COST);
    errors.push(invalid(at, annotations[DELETION_COST], "must be a 32bit integer"));
  }
  const names = Object.keys(annotations);
  const seccomp = names.filter((name) =>
    name === SECCOMP_POD || name.startsWith(SECCOMP_CONTAINER)
  );
  for (const name of seccomp) {
    errors.push(...validateSeccomp(annotations[name]!, path.child(name)));
  }
  for (const name of names.filter((name) => name.startsWith(APP_ARMOR))) {
    errors.push(...validateAppArmor(name, annotations[name]!, spec, path));
  }
  return errors;
}

function validateSeccomp(profile: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(LOCALHOST)) {
    const file = profile.slice(LOCALHOST.length);
    return invalidForEach(path, file, descendingPathProblems(file));
  }
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

function validateAppArmor(
  name: string,
  profile: string,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const container = name.slice(APP_ARMOR.length);
  const errors: FieldError[] = [];
  if (![...containersOf(spec, path)].some(([each]) => each.name === container)) {
    errors.push(invalid(path.key(name), container, "container not found"));
  }
  if (!/^(|runtime\/default|unconfined|localhost\/[^]*)$/.test(profile)) {
    const detail = `invalid AppArmor profile name: ${goQuote(profile)}`;
    errors.push(invalid(path.key(name), profile, detail));
  }
  return errors;
}

/**
 * Checks that the seccomp and AppArmor profiles in a pod's annotations equal those in its fields
 * where both are set. Returns the field errors.
 */
export function validateProfilesMatch(
  metadata: Meta | undefined,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const annotations = metadata?.annotations;
  if (!annotations) return [];
  const pod = spec.securityContext;
  const errors = validateMatch(
    annotations[SECCOMP_POD],
    pod?.seccompProfile,
    path.child("securityContext", "seccompProfile"),
    "seccomp",
  );
  const containers = [...containersOf(spec, path)];
  for (const [{ name = "", securityContext }, at] of containers) {
    const where = at.child("securityContext", "seccompProfile");
    const value = annotations[SECCOMP_CONTAINER + name];
    errors.push(...validateMatch(value, securityContext?.seccompProfile, where, "seccomp"));
  }
  if (spec.os?.name === "windows") return errors;
  for (const [{ name = "", securityContext }, at] of containers) {
    const profile = securityContext?.appArmorProfile ?? pod?.appArmorProfile;
    const where = at.child("securityContext", "appArmorProfile");
    errors.push(...validateMatch(annotations[APP_ARMOR + name], profile, where, "apparmor"));
  }
  return errors;
}

function validateMatch(
  annotation: string | undefined,
  profile: Profile | undefined,
  path: FieldPath,
  what: "seccomp" | "apparmor",
): FieldError[] {
  if (annotation === undefined || !profile) return [];
  const { type, localhostProfile } = profile;
  const type_ = forbiddenField(
    path.child("type"),
    `${what} type in annotation and field must match`,
  );
  if (type === "Unconfined") return annotation === "unconfined" ? [] : [type_];
  if (type === "RuntimeDefault") {
    const isDefault = annotation === "runtime/default" ||
      (what === "seccomp" && annotation === "docker/default");
    return isDefault ? [] : [type_];
  }
  if (type !== "Localhost") return [];
  if (!annotation.startsWith(LOCALHOST)) return [type_];
  if (annotation.slice(LOCALHOST.length) === localhostProfile) return [];
  const detail = `${what} profile in annotation and field must match`;
  return [forbiddenField(path.child("localhostProfile"), detail)];
}

/**
 * Returns the AppArmor profile in the value of a pod's annotation in the form of the field;
 * `undefined` for an invalid profile, also one without a file name.
 */
export function appArmorProfileOf(annotation: string): Profile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const file = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : "";
  return file === "" ? undefined : { type: "Localhost", localhostProfile: file };
}

/**
 * Validates the annotations of an updated pod, and checks that those of AppArmor profiles and of a
 * mirror pod are unchanged.
 */
export function validateAnnotationsUpdate(
  metadata: Meta,
  old: Meta,
  spec: PodSpec,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const next: Annotations = metadata.annotations ?? {};
  const previous: Annotations = old.annotations ?? {};
  const errors: FieldError[] = [];
  const fixed = (name: string, change: string) => {
    if (name.startsWith(APP_ARMOR)) {
      errors.push(forbiddenField(path.key(name), `may not ${change} AppArmor annotations`));
    }
    if (name === MIRROR_POD) {
      errors.push(forbiddenField(path.key(name), `may not ${change} mirror pod annotation`));
    }
  };
  for (const [name, value] of Object.entries(previous)) {
    if (next[name] !== value) fixed(name, "remove or update");
  }
  for (const name of Object.keys(next)) {
    if (previous[name] === undefined) fixed(name, "add");
  }
  return [...errors, ...validatePodAnnotations(next, spec, path, rules)];
}
