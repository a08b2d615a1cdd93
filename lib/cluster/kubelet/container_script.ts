import { type DeepReadonly, Pod } from "@xca/apimachinery/meta";
import { terminal } from "../../controller/definition/terminal_error.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** The annotation of a pod with the scripts of its containers, as JSON by container name. */
export const SCRIPT_ANNOTATION = "kubelet.xca.k8s.kb.cx/script";

/** The name in a script annotation that stands for all containers without a script of their own. */
const ANY_CONTAINER = "*";

/**
 * The behaviour of a pretended container. Without a script a container starts at once, is ready at
 * once, and runs until its pod is deleted; those of a Job end at once with exit code 0.
 *
 * Times count from whole seconds, since a pod's status has no finer ones: a container that runs for
 * 5000 ms ends after four to five seconds.
 */
export interface ContainerScript {
  /** The time that the pull of the image takes, in milliseconds. @default {0} */
  readonly pullMs?: number;
  /** Whether the image can be pulled. @default {"present"} */
  readonly image?: "present" | "missing";
  /** The time from the start of the container until it is ready, in milliseconds. @default {0} */
  readonly readyAfterMs?: number | "never";
  /** The time from the start of the container until it exits, in milliseconds. @default {never} */
  readonly runMs?: number;
  /** The exit code of the container. @default {0, or 137 when it is out of memory} */
  readonly exitCode?: number;
  /** Whether the container exits because it is out of memory. @default {false} */
  readonly outOfMemory?: boolean;
  /**
   * The time that the container takes to stop when its pod is deleted, in milliseconds; at most the
   * grace period of the pod.
   *
   * @default {0}
   */
  readonly stopMs?: number;
  /**
   * The lines that the container writes to its log, by the time since its start; each restart
   * begins anew.
   *
   * @default {[]}
   */
  readonly logs?: readonly LogEntry[];
  /** The CPU time that the container uses per second. @default {"1m"} */
  readonly cpu?: UsageScript;
  /** The memory that the container uses. @default {"8Mi"} */
  readonly memory?: UsageScript;
}

/** The usage of a resource by a container: a quantity, or quantities from times after its start on. */
export type UsageScript =
  | string
  | readonly {
    /** The time from the start of the container from which on the value holds, in milliseconds. */
    readonly afterMs: number;
    /** The quantity that the container uses, such as `250m`. */
    readonly value: string;
  }[];

/** An entry of the log of a pretended container: a line, or a text with the times to write it. */
export type LogEntry = string | {
  /** The line to write, without its end. */
  readonly text: string;
  /** The time from the start of the container until the line is written, in milliseconds. @default {0} */
  readonly afterMs?: number;
  /** The time after which the line is written again, in milliseconds. @default {never} */
  readonly everyMs?: number;
  /** The output that the line is written to. @default {"stdout"} */
  readonly stream?: "stdout" | "stderr";
};

/** The fields of a script, and the check of each. */
const FIELDS: Readonly<Record<keyof ContainerScript, (value: unknown) => boolean>> = {
  pullMs: isDuration,
  image: (value) => value === "present" || value === "missing",
  readyAfterMs: (value) => value === "never" || isDuration(value),
  runMs: isDuration,
  exitCode: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256,
  outOfMemory: (value) => typeof value === "boolean",
  stopMs: isDuration,
  cpu: isUsage,
  memory: isUsage,
  logs: (value) => Array.isArray(value) && value.every(isLogEntry),
};

/** Returns the script of a container; `undefined` for the default behaviour. */
export type ScriptOf = (container: string) => ContainerScript | undefined;

/** A function that scripts pods, for tests: its scripts precede those of annotations. */
export type PodScripter = (
  pod: ReadPod,
  container: string,
) => ContainerScript | undefined;

/**
 * Returns the scripts of a pod's containers, from a function or from the pod's annotation.
 *
 * @throws {TerminalError} When the annotation is not a valid script.
 */
export function scriptsOf(pod: ReadPod, scripter: PodScripter | undefined): ScriptOf {
  const annotated = parseScripts(pod);
  const ofJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === "Job") ?? false;
  const fallback = ofJob ? { runMs: 0 } : undefined;
  return (container) =>
    scripter?.(pod, container) ?? annotated[container] ?? annotated[ANY_CONTAINER] ?? fallback;
}

/** Reports whether a pod has a script, and its steps are told by events. */
export function isScripted({ metadata }: ReadPod): boolean {
  return metadata.annotations?.[SCRIPT_ANNOTATION] !== undefined;
}

function parseScripts({ metadata }: ReadPod): DeepReadonly<Record<string, ContainerScript>> {
  const text = metadata.annotations?.[SCRIPT_ANNOTATION];
  if (text === undefined) return {};
  let scripts: unknown;
  try {
    scripts = JSON.parse(text);
  } catch (error) {
    throw refused(metadata.name, `it is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(scripts)) throw refused(metadata.name, "it must be an object, by container name");
  for (const [container, script] of Object.entries(scripts)) {
    if (!isRecord(script)) throw refused(metadata.name, `${container} must be an object`);
    for (const [field, value] of Object.entries(script)) {
      const check = Object.hasOwn(FIELDS, field)
        ? FIELDS[field as keyof ContainerScript]
        : undefined;
      const where = `${container}.${field}`;
      if (!check) {
        const known = Object.keys(FIELDS).join(", ");
        throw refused(metadata.name, `${where} is unknown; known are ${known}`);
      }
      if (!check(value)) throw refused(metadata.name, `${where} is ${JSON.stringify(value)}`);
    }
  }
  return scripts as Record<string, ContainerScript>;
}

function refused(name: string | undefined, why: string): Error {
  return terminal(
    `Cannot run ${Pod.kind} ${name} by its annotation ${SCRIPT_ANNOTATION}: ${why}`,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reports whether a value is a line of a log, or the description of one. */
function isLogEntry(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (!isRecord(value) || typeof value.text !== "string") return false;
  const { text: _, afterMs = 0, everyMs = 1, stream = "stdout", ...rest } = value;
  return Object.keys(rest).length === 0 && isDuration(afterMs) && isDuration(everyMs) &&
    everyMs !== 0 && (stream === "stdout" || stream === "stderr");
}

/** Reports whether a value is a quantity, or a list of quantities with their times. */
function isUsage(value: unknown): boolean {
  if (!Array.isArray(value)) return isUsedQuantity(value);
  return value.every((each) =>
    isRecord(each) && isDuration(each.afterMs) && isUsedQuantity(each.value)
  );
}

function isUsedQuantity(value: unknown): boolean {
  return typeof value === "string" && /^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.test(value);
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
