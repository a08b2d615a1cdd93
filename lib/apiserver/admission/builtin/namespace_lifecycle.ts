// Mirrors `namespace/lifecycle/admission.go, Lifecycle.Admit`.

import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { notFound, StatusError } from "@xca/apimachinery/internal/errors";
import { forbiddenByAdmission } from "../attributes.ts";

/**
 * The resource name (plural) of LocalSubjectAccessReview, which is admitted in any namespace, so
 * that access reviews do not disclose which namespaces exist.
 */
const ACCESS_REVIEW = "localsubjectaccessreviews";

/**
 * The admission plugin that refuses new objects in namespaces that do not exist (with the code 404)
 * or are being deleted (403), except LocalSubjectAccessReviews.
 */
export const NAMESPACE_LIFECYCLE: Admission = {
  name: "NamespaceLifecycle",
  handles: ({ operation, context }) =>
    operation === "CREATE" && context.namespace !== "" &&
    context.resource.plural !== "namespaces" && context.resource.plural !== ACCESS_REVIEW,
  mutate: checkNamespace,
};

function checkNamespace(request: AdmissionRequest, registry: Registry): void {
  const name = request.context.namespace;
  const text = registry.text("", "namespaces", "", name);
  if (text === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
  if (!text.includes('"Terminating"')) return;
  const { phase } = (JSON.parse(text).status ?? {}) as { phase?: string };
  if (phase === "Terminating") throw terminating(request, name);
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
