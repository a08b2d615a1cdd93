import { declared, type FieldError, FieldPath, required } from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  validateLabels,
} from "@xca/apimachinery/internal/validation";
import type { V1RuntimeClass } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { declareImmutable } from "../../validation/immutable.ts";
import { validateTolerations } from "../pods/scheduling/scheduling.ts";
import { validateContainerResources } from "../pods/containers/resource_requirements.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const HANDLER = FieldPath.of("handler");
const SCHEDULING = FieldPath.of("scheduling");

/**
 * The strategy of RuntimeClasses, which validates writes (registry/node/runtimeclass, `Strategy`).
 */
export const runtimeClassStrategy: KindStrategy = typedStrategy<V1RuntimeClass>({
  validateCreate: validate,
  validateUpdate: (object, old) => declareImmutable(object.handler, old.handler, HANDLER),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  metadataOfUpdate: "change",
});

function validate({ handler, overhead, scheduling }: V1RuntimeClass): FieldError[] {
  const errors = declared(
    ...handler ? invalidForEach(HANDLER, handler, dnsLabelProblems(handler)) : [required(HANDLER)],
  );
  if (overhead) {
    const limits = overhead.podFixed ?? {};
    const path = FieldPath.of("overhead");
    errors.push(...validateContainerResources({ limits }, [], path, podRules(false)));
  }
  if (!scheduling) return errors;
  const { nodeSelector, tolerations = [] } = scheduling;
  return [
    ...errors,
    ...validateLabels(nodeSelector, SCHEDULING.child("nodeSelector")),
    ...validateTolerations(tolerations, SCHEDULING.child("tolerations")),
  ];
}
