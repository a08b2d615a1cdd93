import {
  badRequest,
  conflict,
  type FieldError,
  FieldPath,
  joinFieldErrors,
  notSupported,
  required,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach, subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Binding, V1Pod } from "@xca/apimachinery/kubernetes-types";
import type { Endpoint } from "../machinery/endpoint.ts";
import type { Registry } from "../machinery/registry.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import { failedPrecondition } from "./failed_precondition.ts";
import { setPodCondition } from "./pod_condition.ts";
import { success } from "./success.ts";

const PODS = { group: "", resource: "pods" };

/**
 * The endpoint of `pods/binding`, which assigns a pod to a node (`core/pod/storage/storage.go`,
 * `BindingREST.Create`).
 */
export const podBinding: Endpoint = {
  create(body, context, registry) {
    const binding = body as unknown as V1Binding;
    if ((binding.metadata.name ?? "") !== context.name) {
      throw badRequest("name in URL does not match name in Binding object");
    }
    return bind(binding, context, registry);
  },
};

/** The endpoint of the resource `bindings`, which assigns the pod that the body names to a node. */
export const bindings: Endpoint = {
  create: (body, context, registry) => bind(body as unknown as V1Binding, context, registry),
};

function bind(binding: V1Binding, context: RequestContext, registry: Registry): ApiObject {
  const errors = validate(binding);
  if (errors.length > 0) throw new StatusError(500, "", joinFieldErrors(errors));
  const { namespace, dryRun, now } = context;
  const name = binding.metadata.name ?? "";
  registry.rewrite({ ...PODS, namespace, name }, (current) => {
    const pod = current as V1Pod;
    checkPreconditions({ ...context, name }, binding, pod);
    assign(pod, binding, now);
    return current;
  }, { dryRun });
  return success();
}

/**
 * Throws an error unless a pod has the uid and the resourceVersion that its Binding names, if any.
 *
 * @throws {StatusError} 409
 */
function checkPreconditions(context: RequestContext, binding: V1Binding, pod: V1Pod): void {
  for (const what of ["UID", "ResourceVersion"] as const) {
    const field = what === "UID" ? "uid" : "resourceVersion";
    const wanted = binding.metadata[field];
    const found = pod.metadata[field]!;
    if (wanted && wanted !== found) {
      throw failedPrecondition(context, { what, wanted, found }, PODS);
    }
  }
}

function validate({ target }: V1Binding): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of("target");
  if (target?.kind && target.kind !== "Node") {
    errors.push(notSupported(path.child("kind"), target.kind, ["Node", "<empty>"]));
  }
  const at = path.child("name");
  if (!target?.name) errors.push(required(at));
  else if (!target.kind || target.kind === "Node") {
    errors.push(...invalidForEach(at, target.name, subdomainNameProblems(target.name, false)));
  }
  return errors;
}

/**
 * Assigns a pod to the node that a Binding targets, in place: sets the node name and the condition
 * `PodScheduled`, and adds the labels and annotations of the Binding.
 *
 * @throws {StatusError} 409 if the pod is already assigned, is being deleted, or has scheduling
 * gates.
 */
function assign(pod: V1Pod, { metadata, target }: V1Binding, now: Date): void {
  const spec = pod.spec!;
  const { name, deletionTimestamp } = pod.metadata;
  const refuse = (why: string): StatusError =>
    conflict({ group: "", resource: "pods/binding" }, name!, why);
  if (deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec.nodeName) {
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if (spec.schedulingGates?.length) {
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  }
  spec.nodeName = target.name!;
  delete pod.status?.nominatedNodeName;
  if (metadata.annotations) {
    pod.metadata.annotations = { ...pod.metadata.annotations, ...metadata.annotations };
  }
  if (metadata.labels) pod.metadata.labels = { ...pod.metadata.labels, ...metadata.labels };
  setPodCondition(pod, "PodScheduled", now);
}
