// Mirrors `pod-security-admission/admission/admission.go, Admission.Validate`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { forbidden, invalidObject } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import { attributesOf } from "../attributes.ts";
import { ByNamespace } from "../by_namespace.ts";
import { existingPodsWarnings } from "./existing_pods.ts";
import { type CheckedPod, checkedPod, makesPods, templateOf } from "./pod_parts.ts";
import {
  compareLevels,
  NO_POLICY,
  policyOf,
  sameStandard,
  type SecurityPolicy,
  type Standard,
  standardText,
} from "./policy_labels.ts";
import { detailsText, violationsOf } from "./standards.ts";

/**
 * The subresources of a pod, with the empty text for the pod itself, whose writes can change the
 * pod's security.
 */
const POD_PARTS = ["", "ephemeralcontainers", "resize"];

/**
 * The admission plugin that enforces the pod security standard which the labels of a namespace
 * select on pods, and adds warnings about violations by pods and pod templates of the standard that
 * the labels select for warnings. Invalid pod security labels of a namespace are refused with 422.
 */
export class PodSecurity implements Admission {
  readonly name = "PodSecurity";
  readonly #policies = new ByNamespace<SecurityPolicy>(
    { group: "", resource: "namespaces" },
    ([namespace]) => readPolicy(namespace!),
  );

  handles({ operation, context }: AdmissionRequest, registry: Registry): boolean {
    if (operation !== "CREATE" && operation !== "UPDATE") return false;
    const { subresource, namespace, resource: { group, plural } } = context;
    if (group === "" && plural === "namespaces") return subresource === "";
    const concerned = group === "" && plural === "pods"
      ? POD_PARTS.includes(subresource)
      : subresource === "" && makesPods(group, plural);
    return concerned && this.#policies.of(registry, namespace) !== undefined;
  }

  validate(request: AdmissionRequest, registry: Registry): void {
    const { namespace, resource: { group, plural } } = request.context;
    if (plural === "namespaces") {
      validateNamespace(request, registry);
      return;
    }
    const policy = this.#policies.of(registry, namespace) ?? NO_POLICY;
    if (plural !== "pods") {
      warnOf(policy.warn, templateOf(group, plural, request.object!), request);
      return;
    }
    if (request.old && !changesImages(request.object!, request.old)) return;
    const pod = checkedPod(request.object!);
    enforce(policy.enforce, pod, request);
    warnOf(policy.warn, pod, request);
  }
}

/**
 * Returns the pod security policy that a namespace's labels request; `undefined` if it neither
 * refuses nor warns.
 */
function readPolicy({ metadata }: ApiObject): SecurityPolicy | undefined {
  const { policy } = policyOf(metadata.labels);
  const { enforce, warn } = policy;
  return enforce.level === "privileged" && warn.level === "privileged" ? undefined : policy;
}

/**
 * Checks a pod against the enforced pod security standard.
 *
 * @throws {StatusError} 403 if the pod violates the standard.
 */
function enforce(standard: Standard, pod: CheckedPod, request: AdmissionRequest): void {
  const violations = violationsOf(standard, pod);
  if (violations.length === 0) return;
  const { resource: { group, plural } } = request.context;
  const why = `violates PodSecurity ${goQuote(standardText(standard))}: ${detailsText(violations)}`;
  throw forbidden({ group, resource: plural }, attributesOf(request).name, why);
}

function warnOf(
  standard: Standard,
  pod: CheckedPod | undefined,
  { context }: AdmissionRequest,
): void {
  const violations = pod ? violationsOf(standard, pod) : [];
  if (violations.length === 0) return;
  const what = goQuote(standardText(standard));
  context.warn(`would violate PodSecurity ${what}: ${detailsText(violations)}`);
}

/**
 * Reports whether an update of a pod changes images or adds containers. Other changes are not
 * checked, since pod security standards do not concern other mutable fields.
 */
function changesImages(pod: ApiObject, old: ApiObject): boolean {
  const [now, before] = [checkedPod(pod), checkedPod(old)];
  for (const list of ["containers", "initContainers"] as const) {
    const [some, others] = [now.spec[list] ?? [], before.spec[list] ?? []];
    if (some.length !== others.length) return true;
    if (some.some(({ image }, index) => image !== others[index]!.image)) return true;
  }
  const known = before.spec.ephemeralContainers ?? [];
  return (now.spec.ephemeralContainers ?? []).some(({ name, image }) => {
    const same = known.find((each) => each.name === name);
    return !same || same.image !== image;
  });
}

/**
 * Validates the pod security labels of a namespace, and adds warnings about existing pods that
 * violate an enforced standard which becomes stricter.
 *
 * @throws {StatusError} 422 for labels with errors, unless the labels before the write had the same
 * errors.
 */
function validateNamespace(request: AdmissionRequest, registry: Registry): void {
  const { context, object, old } = request;
  const { metadata } = object!;
  const now = policyOf(metadata.labels);
  const before = old && policyOf(old.metadata.labels);
  const same = before && jsonEqual(errorsOf(now), errorsOf(before));
  if (now.errors.length > 0 && !same) {
    const { name } = attributesOf(request);
    throw invalidObject({ group: "", kind: "Namespace" }, name, now.errors);
  }
  if (!before || !isStricter(now.policy.enforce, before.policy.enforce)) return;
  const pods = [...registry.list("", "pods", metadata.name!)];
  for (const text of existingPodsWarnings(metadata.name!, now.policy.enforce, pods)) {
    context.warn(text);
  }
}

function errorsOf({ errors }: ReturnType<typeof policyOf>): Json {
  return errors.map(({ field, body }) => [field, body]);
}

/** Reports whether a pod security standard may reject pods that the previous one admitted. */
function isStricter(now: Standard, before: Standard): boolean {
  if (now.level === "privileged" || sameStandard(now, before)) return false;
  return now.minor !== before.minor || compareLevels(now.level, before.level) > 0;
}
