// Mirrors `namespace/lifecycle/admission.go, Lifecycle.Admit`.

import type { V1Namespace } from "@xca/apimachinery/kubernetes-types";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { notFound, StatusError } from "@xca/apimachinery/internal/errors";
import { forbiddenByAdmission } from "../attributes.ts";
import { ByNamespace } from "../by_namespace.ts";

/**
 * The resource name (plural) of LocalSubjectAccessReview, which is admitted in any namespace, so
 * that access reviews do not disclose which namespaces exist.
 */
const ACCESS_REVIEW = "localsubjectaccessreviews";
const NAMESPACES = { group: "", resource: "namespaces" };

/**
 * The admission plugin that refuses new objects in namespaces that do not exist (with the code 404)
 * or are being deleted (403), except LocalSubjectAccessReviews.
 */
export class NamespaceLifecycle implements Admission {
  readonly name = "NamespaceLifecycle";
  /** A cache that reports for each namespace whether it is being deleted. */
  readonly #terminating = new ByNamespace<boolean>(
    NAMESPACES,
    ([namespace]) => (namespace as V1Namespace).status?.phase === "Terminating",
  );

  handles({ operation, context }: AdmissionRequest): boolean {
    return operation === "CREATE" && context.namespace !== "" &&
      context.resource.plural !== "namespaces" && context.resource.plural !== ACCESS_REVIEW;
  }

  mutate(request: AdmissionRequest, registry: Registry): void {
    const name = request.context.namespace;
    const isTerminating = this.#terminating.of(registry, name);
    if (isTerminating === undefined) throw notFound(NAMESPACES, name);
    if (isTerminating) throw terminating(request, name);
  }
}

function terminating(request: AdmissionRequest, name: string): StatusError {
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const { status } = forbiddenByAdmission(request, why);
  return new StatusError(status.code, status.reason!, status.message!, {
    ...status.details,
    causes: [{
      reason: "NamespaceTerminating",
      message: `namespace ${name} is being terminated`,
      field: "metadata.namespace",
    }],
  });
}
