import { type FieldError, FieldPath, forbidden, invalid } from "@xca/apimachinery/internal/errors";
import {
  invalidForEach,
  labelNameProblems,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1Namespace } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

/**
 * The name of the finalizer in a namespace's spec that the namespace controller removes when the
 * deleted namespace is empty.
 */
const NAMESPACE_FINALIZER = "kubernetes";

/** The key of the label with the namespace's name, which label selectors can match. */
const NAMESPACE_NAME_LABEL = "kubernetes.io/metadata.name";

/** The names of the namespaces that cannot be deleted. */
const IMMORTAL: readonly string[] = ["default", "kube-system", "kube-public"];

/** The names of the standard namespace finalizers, which need no domain. */
const STANDARD_FINALIZERS: readonly string[] = [
  NAMESPACE_FINALIZER,
  "orphan",
  "foregroundDeletion",
];

/**
 * The strategy of Namespaces, which sets defaults, prepares objects for storage, validates writes,
 * and refuses the deletion of `default`, `kube-system` and `kube-public` (registry/core/namespace,
 * `Strategy`).
 */
export const namespaceStrategy: KindStrategy = typedStrategy<V1Namespace>({
  defaults(namespace) {
    const status = namespace.status ??= {};
    status.phase ||= "Active";
    const { name } = namespace.metadata;
    if (name) {
      namespace.metadata.labels = { ...namespace.metadata.labels, [NAMESPACE_NAME_LABEL]: name };
    }
  },
  prepareForCreate(namespace) {
    namespace.status = { phase: "Active" };
    const finalizers = namespace.spec?.finalizers ?? [];
    namespace.spec = {
      finalizers: finalizers.includes(NAMESPACE_FINALIZER)
        ? finalizers
        : [...finalizers, NAMESPACE_FINALIZER],
    };
    // A generated name was unknown when the defaults were set.
    const { labels, name = "" } = namespace.metadata;
    namespace.metadata.labels = { ...labels, [NAMESPACE_NAME_LABEL]: name };
  },
  validateCreate: validateFinalizers,
  prepareForUpdate(namespace, old) {
    namespace.spec = { ...namespace.spec };
    if (old.spec?.finalizers) namespace.spec.finalizers = old.spec.finalizers;
    else delete namespace.spec.finalizers;
    namespace.status = { ...old.status };
  },
  validateUpdate: validateFinalizers,
  metadataOfUpdate: "all first",
  status: {
    prepareForUpdate(namespace, old) {
      namespace.spec = { ...old.spec };
    },
    validateUpdate: validatePhase,
  },
  subresources: {
    finalize: {
      prepareForUpdate(namespace, old) {
        namespace.spec = { ...namespace.spec };
        if (namespace.spec.finalizers?.length === 0) delete namespace.spec.finalizers;
        namespace.status = { ...old.status };
      },
      validateUpdate({ spec }) {
        const path = FieldPath.of("spec", "finalizers");
        return (spec?.finalizers ?? []).flatMap((name, index) =>
          finalizerErrors(path.index(index), name)
        );
      },
    },
  },
  validateName: labelNameProblems,
  beforeDelete({ metadata }) {
    if (IMMORTAL.includes(metadata.name!)) {
      const namespaces = { group: "", resource: "namespaces" };
      throw forbidden(namespaces, metadata.name!, "this namespace may not be deleted");
    }
  },
  markDeleted(namespace, { now }) {
    namespace.metadata.deletionTimestamp = formatTime(now);
    namespace.status = { ...namespace.status, phase: "Terminating" };
  },
  heldBack: ({ spec }) => (spec?.finalizers ?? []).length > 0,
  selectableFields: ({ status }) => ({ "status.phase": status?.phase ?? "" }),
  selectableFieldNames: ["status.phase"],
});

/** Validates the finalizers of a namespace's spec. */
function validateFinalizers({ spec }: V1Namespace): FieldError[] {
  const path = FieldPath.of("spec", "finalizers");
  return (spec?.finalizers ?? []).flatMap((name) => finalizerErrors(path, name));
}

/** Returns the errors in the name of a namespace's finalizer. */
function finalizerErrors(path: FieldPath, name: string): FieldError[] {
  const errors = invalidForEach(path, name, qualifiedNameProblems(name));
  if (!name.includes("/") && !STANDARD_FINALIZERS.includes(name)) {
    const detail = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(invalid(path, name, detail));
  }
  return errors;
}

function validatePhase({ metadata, status }: V1Namespace): FieldError[] {
  const phase = status?.phase ?? "";
  const path = FieldPath.of("status", "Phase");
  if (metadata.deletionTimestamp === undefined) {
    if (phase === "Active") return [];
    return [invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (phase === "Terminating") return [];
  return [invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
