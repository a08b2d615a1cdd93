// Mirrors `printers/internalversion/printers.go, printPod`.
import { type Age, orNone, type Tree } from "../cell_text.ts";

/** Returns the table cells of a pod. */
export function podCells(pod: Tree, age: Age): unknown[] {
  const { metadata, spec, status = {} } = pod;
  const { ready, total, reason, restarts, lastRestart } = summary(pod);
  const when = restarts !== 0 && lastRestart !== "" ? ` (${age(lastRestart)} ago)` : "";
  return [
    metadata.name,
    `${ready}/${total}`,
    reason,
    `${restarts}${when}`,
    age(metadata.creationTimestamp),
    orNone(status.podIPs?.[0]?.ip),
    orNone(spec.nodeName),
    orNone(status.nominatedNodeName),
    readinessGates(pod),
  ];
}

/** Returns the conditions of a completed pod's table row; `undefined` for other pods. */
export function podRowConditions({ status }: Tree): unknown[] | undefined {
  const phase = status?.phase;
  if (phase !== "Succeeded" && phase !== "Failed") return undefined;
  const message = phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
  return [{ type: "Completed", status: "True", reason: phase, message }];
}

/**
 * The number of restarts of a pod's containers, and the time of the last one; empty for no restart.
 */
class Restarts {
  restarts = 0;
  lastRestart = "";

  addRestarts(container: Tree): void {
    this.restarts += container.restartCount ?? 0;
    const finished = container.lastState?.terminated?.finishedAt ?? "";
    if (finished > this.lastRestart) this.lastRestart = finished;
  }
}

/** The summary of a pod's containers that its table row shows. */
class Summary extends Restarts {
  ready = 0;
  total: number;
  reason: string;

  constructor({ spec, status = {} }: Tree) {
    super();
    this.total = spec.containers?.length ?? 0;
    this.reason = status.reason || status.phase || "";
    const gated = status.conditions?.some((each: Tree) =>
      each.type === "PodScheduled" && each.reason === "SchedulingGated"
    );
    if (gated) this.reason = "SchedulingGated";
  }
}

function summary(pod: Tree): Summary {
  const { metadata, status = {} } = pod;
  const made = new Summary(pod);
  if (!lookAtInitContainers(pod, made)) lookAtContainers(pod, made);
  if (metadata.deletionTimestamp && status.reason === "NodeLost") made.reason = "Unknown";
  else if (metadata.deletionTimestamp && !["Succeeded", "Failed"].includes(status.phase)) {
    made.reason = "Terminating";
  }
  return made;
}

/**
 * Adds a pod's init containers to the summary that its table row shows. Returns whether the pod is
 * still initializing; if not, the summary counts the restarts of sidecars alone, without those of
 * the other init containers.
 */
function lookAtInitContainers({ spec, status = {} }: Tree, made: Summary): boolean {
  const runningOn = new Restarts();
  const restartable = new Set<string>();
  for (const { name, restartPolicy } of spec.initContainers ?? []) {
    if (restartPolicy !== "Always") continue;
    restartable.add(name);
    made.total++;
  }
  let initializing = false;
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    made.addRestarts(container);
    const runsOn = restartable.has(container.name);
    if (runsOn) runningOn.addRestarts(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (runsOn && container.started) {
      if (container.ready) made.ready++;
      continue;
    }
    initializing = true;
    if (terminated) made.reason = `Init:${terminationText(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") {
      made.reason = `Init:${waiting.reason}`;
    } else made.reason = `Init:${index}/${spec.initContainers?.length ?? 0}`;
    break;
  }
  const initialized = status.conditions?.some((each: Tree) =>
    each.type === "Initialized" && each.status === "True"
  );
  if (initializing && !initialized) return true;
  made.restarts = runningOn.restarts;
  made.lastRestart = runningOn.lastRestart;
  return false;
}

function lookAtContainers({ status = {} }: Tree, made: Summary): void {
  let hasRunning = false;
  let errorReason = "";
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
    made.addRestarts(container);
    const { terminated, waiting, running } = container.state ?? {};
    if (waiting?.reason) made.reason = waiting.reason;
    else if (terminated) {
      made.reason = terminationText(terminated);
      if (terminated.exitCode !== 0) errorReason = made.reason;
    } else if (container.ready && running) {
      hasRunning = true;
      made.ready++;
    }
  }
  if (made.reason !== "Completed") return;
  const ready = status.conditions?.some((each: Tree) =>
    each.type === "Ready" && each.status === "True"
  );
  if (hasRunning && ready) made.reason = "Running";
  else if (errorReason !== "") made.reason = errorReason;
  else if (hasRunning) made.reason = "NotReady";
}

function terminationText({ reason, signal, exitCode = 0 }: Tree): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function readinessGates({ spec, status = {} }: Tree): string {
  const gates: Tree[] = spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const holds = gates.filter(({ conditionType }) =>
    status.conditions?.find((each: Tree) => each.type === conditionType)?.status === "True"
  );
  return `${holds.length}/${gates.length}`;
}
