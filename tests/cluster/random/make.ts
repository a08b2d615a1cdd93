import { Chance } from "../../conformance/differential/chance.ts";
import {
  NAMES,
  type Propagation,
  type RandomStep,
  type Spec,
  TEAM,
  type Workload,
} from "./steps.ts";
import type { TemplateEdit } from "./template.ts";

/** The largest and smallest number of steps after those that create the workloads. */
const FEWEST = 3;
const MOST = 9;

/** The kinds of workloads; repeated kinds are more likely. */
const KINDS: readonly Workload[] = [
  "Deployment",
  "Deployment",
  "Deployment",
  "StatefulSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Job",
  "ReplicaSet",
  "ReplicationController",
];

/** Returns the steps of the random scenario for a seed. */
export function makeSteps(seed: number): RandomStep[] {
  return new Maker(seed).make();
}

/** The generator of the steps of one scenario. */
class Maker {
  readonly #chance: Chance;
  readonly #kinds: Workload[] = [];
  #nodes = 0;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  make(): RandomStep[] {
    const chance = this.#chance;
    const steps: RandomStep[] = [];
    if (chance.happens(0.4)) {
      this.#nodes = 2 + chance.below(2);
      steps.push({ do: "nodes", count: this.#nodes });
    }
    for (let count = 1 + chance.below(2); count > 0; count--) {
      const kind = chance.pick(KINDS.filter((kind) => !this.#kinds.includes(kind)));
      this.#kinds.push(kind);
      steps.push(this.#create(kind));
    }
    for (let count = FEWEST + chance.below(MOST - FEWEST); count > 0; count--) {
      steps.push(this.#step());
    }
    return steps;
  }

  #step(): RandomStep {
    const chance = this.#chance;
    const kind = chance.pick(this.#kinds);
    const others = [
      () => this.#aroundPods(),
      ...this.#nodes > 0 ? [() => this.#aroundNodes(), () => this.#aroundNodes()] : [],
    ];
    return chance.happens(0.7) ? this.#onWorkload(kind) : chance.pick(others)();
  }

  #create(kind: Workload): RandomStep {
    const script = this.#chance.happens(0.2) ? { script: "ready later" as const } : {};
    const template = kind === "Job" ? { script: this.#jobScript() } : script;
    return {
      do: "create",
      kind,
      spec: this.#firstSpec(kind),
      template: { image: "app:1", ...template },
    };
  }

  #jobScript(): "succeeds" | "fails" | "runs on" {
    return this.#chance.mostly(["succeeds", "runs on", "fails"] as const);
  }

  #firstSpec(kind: Workload): Spec {
    const chance = this.#chance;
    const replicas = 1 + chance.below(5);
    const later = chance.happens(0.15) ? { minReadySeconds: 1 } : {};
    const history = chance.happens(0.3) ? { revisionHistoryLimit: chance.below(3) } : {};
    switch (kind) {
      case "Deployment":
        return { replicas, ...later, ...history, ...this.#strategy() };
      case "StatefulSet":
        return {
          replicas,
          serviceName: "state",
          ...history,
          ...chance.happens(0.4) && { podManagementPolicy: "Parallel" },
          ...chance.happens(0.3) && { updateStrategy: this.#statefulUpdate() },
        };
      case "DaemonSet":
        return { ...history, ...chance.happens(0.5) && { updateStrategy: this.#daemonUpdate() } };
      case "Job":
        return this.#jobSpec();
      case "ReplicaSet":
      case "ReplicationController":
        return { replicas, ...later };
    }
  }

  #strategy(): Spec {
    const chance = this.#chance;
    if (chance.happens(0.25)) return { strategy: { type: "Recreate", rollingUpdate: null } };
    if (chance.happens(0.4)) return {};
    const [maxSurge, maxUnavailable] = chance.pick([
      [1, 0],
      [0, 1],
      [2, 1],
      ["50%", "50%"],
      ["100%", 0],
      [0, "100%"],
    ]);
    return { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } };
  }

  #statefulUpdate(): Spec {
    if (this.#chance.happens(0.3)) return { type: "OnDelete", rollingUpdate: null };
    return { type: "RollingUpdate", rollingUpdate: { partition: this.#chance.below(4) } };
  }

  #daemonUpdate(): Spec {
    const chance = this.#chance;
    if (chance.happens(0.25)) return { type: "OnDelete", rollingUpdate: null };
    const rollingUpdate = chance.pick([
      { maxSurge: 0, maxUnavailable: 2 },
      { maxSurge: 1, maxUnavailable: 0 },
      { maxSurge: 0, maxUnavailable: "100%" },
    ]);
    return { type: "RollingUpdate", rollingUpdate };
  }

  #jobSpec(): Spec {
    const chance = this.#chance;
    const completions = 1 + chance.below(4);
    return {
      parallelism: 1 + chance.below(3),
      backoffLimit: chance.below(2),
      ...chance.happens(0.85) && { completions },
      ...chance.happens(0.3) && { completions, completionMode: "Indexed" },
      ...chance.happens(0.25) && { suspend: true },
    };
  }

  #onWorkload(kind: Workload): RandomStep {
    const chance = this.#chance;
    const count = chance.pick([1, 1, 2, 100]);
    if (chance.happens(0.08)) return this.#create(kind);
    if (chance.happens(0.1)) {
      const propagation: Propagation = chance.pick(["Background", "Foreground", "Orphan"]);
      return { do: "delete", kind, propagation };
    }
    if (chance.happens(0.2)) return { do: "deletePods", kind, count };
    if (chance.happens(0.07)) return { do: "relabel", kind, count: 1 };
    if (chance.happens(0.07)) {
      return { do: "endPods", kind, count, phase: chance.pick(["Failed", "Succeeded"]) };
    }
    if (kind === "Deployment" && chance.happens(0.15)) return { do: "undo" };
    if (chance.happens(0.5)) return { do: "template", kind, template: this.#edit(kind) };
    return { do: "change", kind, spec: this.#change(kind) };
  }

  #edit(kind: Workload): TemplateEdit {
    const chance = this.#chance;
    const image = `app:${1 + chance.below(4)}`;
    if (kind === "Job" || chance.happens(0.4)) return { image };
    if (chance.happens(0.2)) return { tier: chance.pick(["front", "back"]) };
    if (chance.happens(0.2)) return { cpu: chance.mostly(["100m", "200m", "40"]) };
    return { image, script: chance.pick(["never ready", "ready later", null, null]) };
  }

  #change(kind: Workload): Spec {
    const chance = this.#chance;
    const replicas = chance.below(7);
    switch (kind) {
      case "Deployment":
        return chance.pick([
          { replicas },
          { replicas },
          { paused: true },
          { paused: false },
          { paused: false },
          this.#strategy(),
          { minReadySeconds: chance.below(2) },
          { revisionHistoryLimit: chance.below(3) },
        ]);
      case "StatefulSet":
        return chance.pick([{ replicas }, { replicas }, {
          updateStrategy: this.#statefulUpdate(),
        }]);
      case "DaemonSet":
        return chance.pick<Spec>([
          { updateStrategy: this.#daemonUpdate() },
          { minReadySeconds: chance.below(2) },
        ]);
      case "Job":
        return chance.pick<Spec>([
          { parallelism: chance.below(5) },
          { suspend: true },
          { suspend: false },
          { suspend: false },
        ]);
      case "ReplicaSet":
      case "ReplicationController":
        return { replicas };
    }
  }

  /** Returns a step about quotas, budgets, evictions or Services. */
  #aroundPods(): RandomStep {
    const chance = this.#chance;
    const kind = chance.pick(this.#kinds);
    const selector = { matchLabels: chance.pick([TEAM, { app: NAMES[kind] }]) };
    return chance.pick<() => RandomStep>([
      () => ({ do: "quota", pods: chance.pick([0, 2, 4, 6, 20, null]) }),
      () => ({
        do: "budget",
        spec: {
          selector,
          ...chance.pick<Spec>([
            { maxUnavailable: 1, minAvailable: null },
            { maxUnavailable: null, minAvailable: "50%" },
            { maxUnavailable: null, minAvailable: 2 },
          ]),
        },
      }),
      () => ({ do: "evict", kind, count: chance.pick([1, 2]) }),
      () => ({
        do: "service",
        spec: chance.pick<Spec | null>([
          { selector: TEAM, ports: [{ name: "http", port: 80 }] },
          { selector: { app: NAMES[kind] }, ports: [{ name: "http", port: 80 }] },
          null,
        ]),
      }),
    ])();
  }

  #aroundNodes(): RandomStep {
    const chance = this.#chance;
    const node = chance.below(this.#nodes);
    // kube-controller-manager does not count such a node for a DaemonSet until one of its pods changes.
    const effects = this.#kinds.includes("DaemonSet")
      ? ["NoExecute", null]
      : ["NoExecute", "NoSchedule", null];
    return chance.pick<() => RandomStep>([
      () => ({ do: "cordon", node, unschedulable: chance.happens(0.6) }),
      () => ({ do: "taint", node, effect: chance.pick(effects) }),
      () => ({ do: "outage", node, during: this.#onWorkload(chance.pick(this.#kinds)) }),
    ])();
  }
}
