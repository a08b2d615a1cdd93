import {
  EndpointSlice,
  Node,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ResourceQuota,
  type ResourceType,
  Service,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ignoreNotFound } from "../../../lib/client/mod.ts";
import { AREAS } from "../scenarios/mod.ts";
import type { ComparedKind, Scenario, Stage } from "../world.ts";
import { type RandomStep, StepTaker, TYPES } from "./steps.ts";

/** The number of polls without a change after which an incomplete workload counts as stuck. */
const PATIENCE = 5;

/** Options of {@linkcode scenarioOf}. */
export interface RandomScenarioOptions {
  readonly name: string;
  readonly steps: readonly RandomStep[];
  /** Called when the namespace has settled: before each step, and at the end. */
  readonly onSettled?: (stage: Stage, next: RandomStep | undefined) => Promise<void>;
}

/** Returns the scenario of given steps. */
export function scenarioOf({ name, steps, onSettled }: RandomScenarioOptions): Scenario {
  const nodes: string[] = [];
  return {
    name,
    kinds: kindsOf(steps),
    patience: PATIENCE,
    run: async (stage) => {
      nodes.length = 0;
      const taker = new StepTaker(stage, nodes);
      for (const step of steps) {
        if (step.soon !== true) {
          await stage.settle();
          await onSettled?.(stage, step);
        }
        await taker.take(step);
      }
      await stage.settle();
      await onSettled?.(stage, undefined);
    },
    after: async ({ client }) => {
      for (const node of nodes) await client.delete(Node, node).catch(ignoreNotFound);
    },
  };
}

/** Returns the kinds that a scenario with the given steps compares. */
function kindsOf(steps: readonly RandomStep[]): ComparedKind[] {
  const all = steps.flatMap((step) => step.do === "outage" ? [step, step.during] : [step]);
  const types = new Set<ResourceType>(all.flatMap(typesOf));
  const known = new Map(AREAS.flatMap(({ kinds }) => kinds).map((kind) => [kind.type, kind]));
  known.set(Pod as ResourceType, { type: Pod as ResourceType, facts: podFacts as never });
  return [Pod as ResourceType, ...types].map((type) => known.get(type) ?? { type });
}

function typesOf(step: RandomStep): ResourceType[] {
  switch (step.do) {
    case "create":
      return step.kind === "Deployment" ? [TYPES.Deployment, ReplicaSet] : [TYPES[step.kind]];
    case "budget":
      return [PodDisruptionBudget];
    case "quota":
      return [ResourceQuota];
    case "service":
      return [Service, EndpointSlice];
    default:
      return [];
  }
}

/**
 * Returns a pod without the message about nodes that do not fit, since scenarios share the nodes.
 */
function podFacts(pod: V1Pod): unknown {
  const conditions = pod.status?.conditions?.map(({ message, ...condition }) =>
    condition.reason === "Unschedulable" ? condition : { ...condition, message }
  );
  return { ...pod, status: { ...pod.status, conditions, nominatedNodeName: undefined } };
}
