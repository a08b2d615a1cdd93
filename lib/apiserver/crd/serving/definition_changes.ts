/**
 * The changes that the server makes to the status and the cleanup finalizer of a
 * CustomResourceDefinition, one at a time, in the order in which kube-apiserver's controllers
 * settle. Mirrors `controller/establish/establishing_controller.go, EstablishingController` and
 * `controller/finalizer/crd_finalizer.go, CRDFinalizer`.
 *
 * @module
 */
import {
  approvalCondition,
  caBundleProblem,
  CLEANUP_FINALIZER,
  conditionOf,
  type CustomResourceDefinition,
  type DefinitionCondition,
  type DefinitionNames,
  isTrue,
  setCondition,
} from "@xca/apimachinery/internal/schema";
import { decideNames } from "./naming.ts";

/** A function that changes a CustomResourceDefinition in place. */
export type DefinitionChange = (definition: CustomResourceDefinition) => void;

/**
 * Returns a function that makes the next change to the accepted names or the conditions of a
 * CustomResourceDefinition; `undefined` if there is none to make. `ofGroup` are the accepted names
 * of all definitions of its group, its own included.
 */
export function nextChange(
  definition: CustomResourceDefinition,
  ofGroup: Iterable<DefinitionNames>,
  now: Date,
): DefinitionChange | undefined {
  const naming = decideNames(definition, ofGroup);
  if (naming) {
    return (changed) => {
      changed.status.acceptedNames = naming.acceptedNames;
      setCondition(changed, naming.namesAccepted, now);
      setCondition(changed, naming.established, now);
    };
  }
  const approval = approvalCondition(definition);
  if (approval && !isSame(approval, conditionOf(definition, approval.type))) {
    return (changed) => setCondition(changed, approval, now);
  }
  if (!isTrue(definition, "NamesAccepted") || isTrue(definition, "Established")) return undefined;
  const established = establishedCondition(definition);
  if (isSame(established, conditionOf(definition, "Established"))) return undefined;
  return (changed) => setCondition(changed, established, now);
}

function isSame(condition: DefinitionCondition, other: DefinitionCondition | undefined): boolean {
  return condition.status === other?.status && condition.reason === other.reason &&
    condition.message === other.message;
}

function establishedCondition({ spec }: CustomResourceDefinition): DefinitionCondition {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? "";
  if (caBundleProblem(bundle) !== undefined) {
    return {
      type: "Established",
      status: "False",
      reason: "InvalidCABundle",
      message: "The conversion webhook CABundle is invalid",
    };
  }
  return {
    type: "Established",
    status: "True",
    reason: "InitialNamesAccepted",
    message: "the initial names have been accepted",
  };
}

/**
 * Reports whether a CustomResourceDefinition is being deleted and waits for the deletion of its
 * objects.
 */
export function isCleaning({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
}

/**
 * Returns a function that sets the condition `Terminating` of a CustomResourceDefinition to `True`,
 * before its objects are deleted.
 */
export function beginCleaning(now: Date): DefinitionChange {
  return (definition) =>
    setCondition(definition, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    }, now);
}

/**
 * Returns a function that sets the condition `Terminating` of a CustomResourceDefinition to `False`
 * after the deletion of its objects, and removes its cleanup finalizer.
 */
export function finishCleaning(now: Date): DefinitionChange {
  return (definition) => {
    const wasEstablished = isTrue(definition, "Established");
    setCondition(definition, {
      type: "Terminating",
      status: "False",
      reason: wasEstablished ? "InstanceDeletionCompleted" : "NeverEstablished",
      message: wasEstablished ? "removed all instances" : "resource was never established",
    }, now);
    const { metadata } = definition;
    metadata.finalizers = (metadata.finalizers ?? []).filter((each) => each !== CLEANUP_FINALIZER);
  };
}
