/**
 * The Chaos kind of the example: which pods are harmed, how, when, and how many at most.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/** A fault of a pod: it is killed, its processes are frozen, or they get almost no CPU. */
export type Fault = "kill" | "freeze" | "slow";

/** A pod that was chosen in a round. */
export interface Victim {
  /** The namespace and name of the chosen pod. */
  pod: string;
  /** The UID of the chosen pod, so that its successor of the same name is left alone. */
  uid: string;
  /** Whether the fault was done to the pod, or the pod was gone before. */
  done: boolean;
}

/** A round: one time of the schedule, from the choice of the pods until the target has recovered. */
export interface Round {
  /** The time of the schedule that the round is of. */
  at: string;
  /** The fault of the round. */
  fault: Fault;
  /** The time at which the round began, a little later than that of the schedule. */
  begun: string;
  /** The number of ready pods of the target before the round. */
  ready: number;
  /** The pods that were chosen. */
  victims: Victim[];
}

/** The record of a round that is over, or that did not begin. */
export interface RoundRecord {
  /** The time of the schedule that the record is of. */
  at: string;
  /** The fault of the round. */
  fault: Fault;
  /** Whether the target recovered, the round was stopped, or it did not begin. */
  outcome: "Recovered" | "Stopped" | "Skipped";
  /** The pods of the round. */
  pods: string[];
  /** The time until the target had recovered, in seconds. */
  seconds?: number;
  /** The reason for which the round did not begin, or was stopped. */
  message?: string;
}

/** A Chaos object, the custom resource of the example operator. */
export interface Chaos extends KubeObject {
  /** The schedule, the fault, and its blast radius. */
  spec: {
    schedule: string;
    timeZone: string;
    fault: Fault;
    seconds: number;
    matchLabels: Record<string, string>;
    namespaces?: string[];
    exceptNamespaces: string[];
    percentage: number;
    maximum: number;
    seed: number;
    suspend: boolean;
  };
  /** The present round, and the record of the last ones. */
  status?: ChaosStatus;
}

/** The observed state of a Chaos. */
export interface ChaosStatus {
  /** The last time of the schedule that a round began at, or was skipped at. */
  lastTime?: string;
  /** The round that has begun, and from which the target has not recovered. */
  round?: Round;
  /** The last rounds, the newest first. */
  history?: RoundRecord[];
  /** The conditions `Ready`, `Progressing` and `Degraded`. */
  conditions?: Condition[];
}

/** A Chaos as users write it: the fields with defaults may be absent. */
export interface NewChaos extends KubeObject {
  /** The desired state of a Chaos. */
  spec:
    & Pick<Chaos["spec"], "schedule" | "fault" | "matchLabels">
    & Partial<Omit<Chaos["spec"], "schedule" | "fault" | "matchLabels">>;
}

const FAULTS = ["kill", "freeze", "slow"] as const;
const namespace = s.string({ minLength: 1, maxLength: 63 });

/** The resource of Chaos objects, which have no namespace: `kubectl get chaos`. */
export const Chaos: DefinedResource<Chaos, NewChaos> = defineResource({
  group: "chaos.example.org",
  version: "v1",
  kind: "Chaos",
  plural: "chaos",
  scope: "Cluster",
  metadata: { name: s.string({ maxLength: 63 }) }, // the name is a label of the pods
  spec: s.object({
    schedule: s.string({ minLength: 1, description: "The times of rounds, as in crontab" }),
    timeZone: s.string({ default: "UTC", description: "The IANA name of the schedule's zone" }),
    fault: s.enum(FAULTS),
    seconds: s.integer({
      format: "int32",
      minimum: 1,
      maximum: 3600,
      default: 60,
      description: "How long pods stay frozen or slow",
    }),
    matchLabels: s.map(s.string(), { minProperties: 1, maxProperties: 16 }),
    namespaces: s.optional(
      s.array(namespace, {
        maxItems: 100,
        description: "The namespaces of the pods; without it, all",
      }),
    ),
    exceptNamespaces: s.array(namespace, { maxItems: 100, default: [] }),
    percentage: s.integer({
      format: "int32",
      minimum: 1,
      maximum: 100,
      default: 100,
      description: "The share of the pods that a round harms at most",
    }),
    maximum: s.integer({
      format: "int32",
      minimum: 1,
      default: 1,
      description: "The number of pods that a round harms at most",
    }),
    seed: s.integer({
      format: "int32",
      default: 0,
      description: "Another seed chooses other pods",
    }),
    suspend: s.boolean({ default: false, description: "Stops at once, and restores all pods" }),
  }),
  status: s.object({
    lastTime: s.optional(s.dateTime()),
    round: s.optional(s.object({
      at: s.dateTime(),
      fault: s.enum(FAULTS),
      begun: s.dateTime(),
      ready: s.integer({ format: "int32" }),
      victims: s.array(s.object({ pod: s.string(), uid: s.string(), done: s.boolean() })),
    })),
    history: s.optional(s.array(s.object({
      at: s.dateTime(),
      fault: s.enum(FAULTS),
      outcome: s.enum(["Recovered", "Stopped", "Skipped"]),
      pods: s.array(s.string()),
      seconds: s.optional(s.integer({ format: "int32" })),
      message: s.optional(s.string()),
    }))),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Fault", type: "string", jsonPath: ".spec.fault" },
    { name: "Suspend", type: "boolean", jsonPath: ".spec.suspend" },
    { name: "Last round", type: "date", jsonPath: ".status.lastTime" },
    { name: "Outcome", type: "string", jsonPath: ".status.history[0].outcome" },
    { name: "Recovery", type: "integer", jsonPath: ".status.history[0].seconds" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/** Returns the conditions of a Chaos in a state. */
export function conditionsOf(
  { metadata: { generation }, status }: Chaos,
  summary: Summary,
  now: Date,
): Condition[] {
  return [...setSummary(status?.conditions, summary, { now, generation })];
}
