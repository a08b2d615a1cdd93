/**
 * The Chaos kind of the example: the pods to harm, the fault, the schedule, and the limits.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/**
 * A fault of a pod: the pod is killed, its processes are frozen, or they get almost no CPU time.
 */
export type Fault = "kill" | "freeze" | "slow";

/** A pod that was selected in a round. */
export interface Victim {
  /** The key of the selected pod, `namespace/name`. */
  pod: string;
  /** The UID of the selected pod, so that a new pod of the same name is not harmed. */
  uid: string;
  /**
   * Reports whether the fault was injected, or was no longer due since the pod did not exist any
   * more or the time of the fault was over.
   */
  done: boolean;
}

/**
 * A round of a Chaos: it begins at a scheduled time with the selection of pods, and ends when the
 * target has recovered, or when the round is stopped or skipped.
 */
export interface Round {
  /** The scheduled time of the round, as RFC 3339 text. */
  at: string;
  /** The fault that the round injects. */
  fault: Fault;
  /**
   * The time at which the round began, as RFC 3339 text; at most a minute after the scheduled time.
   */
  begun: string;
  /** The number of ready pods of the target before the round. */
  ready: number;
  /** The pods that were selected in the round. */
  victims: Victim[];
}

/** The record of a round that has ended or was skipped. */
export interface RoundRecord {
  /** The scheduled time of the recorded round, as RFC 3339 text. */
  at: string;
  /** The fault of the recorded round. */
  fault: Fault;
  /** The outcome of the round: the target recovered, or the round was stopped or skipped. */
  outcome: "Recovered" | "Stopped" | "Skipped";
  /**
   * The keys, `namespace/name`, of the pods that were selected in the recorded round; empty for a
   * skipped one.
   */
  pods: string[];
  /**
   * The time from the beginning of the round until the target recovered, in seconds; absent unless
   * the outcome is `Recovered`.
   */
  seconds?: number;
  /** The reason why the round was skipped or stopped; absent if the target recovered. */
  message?: string;
}

/** A Chaos object, the custom resource of the example operator. */
export interface Chaos extends KubeObject {
  /** The schedule, the fault, and the limits on the pods to harm. */
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
  /** The present round, and the records of the last rounds. */
  status?: ChaosStatus;
}

/** The observed state of a Chaos. */
export interface ChaosStatus {
  /** The last scheduled time, as RFC 3339 text, whose round began or was skipped. */
  lastTime?: string;
  /** The present round, from which the target has not recovered yet; absent between rounds. */
  round?: Round;
  /** The records of the last ten rounds, skipped ones included, the newest first. */
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

/** The cluster-scoped resource of Chaos objects: `kubectl get chaos`. */
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

/**
 * Returns the conditions of a Chaos, with `Ready`, `Progressing` and `Degraded` set by a summary of
 * its present state.
 */
export function conditionsOf(
  { metadata: { generation }, status }: Chaos,
  summary: Summary,
  now: Date,
): Condition[] {
  return [...setSummary(status?.conditions, summary, { now, generation })];
}
