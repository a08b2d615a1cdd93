/**
 * What the server itself makes of a definition, one change of its status at a time, in the order in
 * which the controllers of the real server settle.
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

/** Changes a definition in place. */
export type DefinitionChange = (definition: CustomResourceDefinition) => void;

/**
 * What is next for a definition that is not on its way out; `undefined`: it is settled. `ofGroup` are
 * the names that the definitions of its group have.
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

/** Whether a definition waits for its objects to be deleted. */
export function isCleaning({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
}

/** The deletion of the objects begins. */
export function beginCleaning(now: Date): DefinitionChange {
  return (definition) =>
    setCondition(definition, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    }, now);
}

/** The objects are gone, and the definition may go. */
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
