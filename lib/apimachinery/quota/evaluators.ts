// Mirrors `quota/v1/evaluator/core/registry.go, NewEvaluators`.
import { type Evaluator, objectCount } from "./evaluator.ts";
import { countedObjects, SERVICES, VOLUME_CLAIMS } from "./object_evaluators.ts";
import { PODS } from "./pod_evaluator.ts";
import { RESOURCE_CLAIMS } from "./resource_claims.ts";

/** A map of the quota evaluators by `group/plural` of their resource. */
const KNOWN: ReadonlyMap<string, Evaluator> = new Map([
  ["/pods", PODS],
  ["/services", SERVICES],
  ["/persistentvolumeclaims", VOLUME_CLAIMS],
  ["resource.k8s.io/resourceclaims", RESOURCE_CLAIMS],
  // ResourceQuotas counted these resources by their plain names before names such as
  // `count/secrets` existed.
  ...["configmaps", "resourcequotas", "replicationcontrollers", "secrets"].map((plural) =>
    [`/${plural}`, countedObjects(objectCount("", plural), plural)] as const
  ),
]);

/** The resources, as `group/plural`, that are not stored, or that ResourceQuotas never count. */
const IGNORED: ReadonlySet<string> = new Set([
  "/bindings",
  "/componentstatuses",
  "authentication.k8s.io/tokenreviews",
  "authentication.k8s.io/selfsubjectreviews",
  "authorization.k8s.io/subjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "/events",
  "events.k8s.io/events",
]);

/** Returns the quota evaluator of a resource, or `undefined` if ResourceQuotas do not count it. */
export function evaluatorOf(group: string, plural: string): Evaluator | undefined {
  const key = `${group}/${plural}`;
  if (IGNORED.has(key)) return undefined;
  return KNOWN.get(key) ?? countedObjects(objectCount(group, plural));
}
