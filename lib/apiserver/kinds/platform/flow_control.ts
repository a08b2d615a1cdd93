import type { ObjectMeta } from "@xca/apimachinery/meta";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import { beginGeneration, countGeneration } from "../core/generation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateFlowConditions } from "./flow_conditions.ts";

interface FlowControl {
  metadata: ObjectMeta;
  spec?: unknown;
  status?: { conditions?: { type?: string }[] };
}

/**
 * The part of the strategy that FlowSchemas and PriorityLevelConfigurations share: status and
 * generation (registry/flowcontrol/flowschema, `Strategy`).
 */
export const FLOW_CONTROL: Pick<
  KindStrategy,
  "prepareForCreate" | "prepareForUpdate" | "status" | "metadataOfUpdate"
> = typedStrategy<FlowControl>({
  prepareForCreate(object) {
    object.status = {};
    beginGeneration(object);
  },
  prepareForUpdate(object, old) {
    object.status = old.status ?? {};
    countGeneration(object, old, object.spec, old.spec);
  },
  status: {
    prepareForUpdate(object, old) {
      if (old.spec) object.spec = old.spec;
      keepMetadata(object, old);
    },
    validateUpdate: ({ status }) => validateFlowConditions(status?.conditions),
  },
  metadataOfUpdate: "all",
});
