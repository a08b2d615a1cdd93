import { attempt } from "@xca/apimachinery/internal/base";
import type { V1Container } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, Pod } from "@xca/apimachinery/meta";
import { terminal } from "../../controller/definition/terminal_error.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import type { ContainerScript, PodScripter } from "./container_script.ts";
import { isRecord, scriptProblem } from "./script_check.ts";

/** The key of the pod annotation with the container scripts, as JSON by container name. */
export const SCRIPT_ANNOTATION = "kubelet.xca.k8s.kb.cx/script";

/**
 * The name in a script annotation whose script applies to all containers that the annotation does
 * not name.
 */
const ANY_CONTAINER = "*";

type ReadContainer = DeepReadonly<V1Container>;

/**
 * A function that returns the script of a simulated container; an empty script for the default
 * behaviour.
 */
export type ScriptOf = (container: string) => ContainerScript;

/**
 * Returns a function that returns the scripts of a pod's containers, from the user's function or
 * else from the pod's annotation, with the defaults of `runMs`; an empty script for any other name.
 *
 * @throws {TerminalError} When the annotation, or a script that the user's function returns, is not
 *   valid.
 */
export function scriptsOf(pod: ReadPod, scripter: PodScripter | undefined): ScriptOf {
  const containers = containersOf(pod);
  const annotated = annotatedScripts(pod, containers.map(({ name }) => name));
  const scripts = new Map(containers.map((container) => {
    const { name } = container;
    const script = functionScript(pod, name, scripter) ?? annotated.get(name) ??
      annotated.get(ANY_CONTAINER) ?? {};
    const runMs = script.runMs ?? (exitsByItself(pod, container) ? 0 : undefined);
    const field = script.outOfMemory ? "outOfMemory" : "exitCode";
    if (runMs === undefined && script[field] !== undefined) {
      throw refused(pod, `${name}.${field} needs ${name}.runMs, since the container never exits`);
    }
    return [name, runMs === undefined ? script : { ...script, runMs }];
  }));
  return (container) => scripts.get(container) ?? {};
}

/**
 * Returns a function that returns the scripts of a pod's containers; all are empty if one of the
 * pod's scripts is invalid.
 */
export function validScriptsOf(pod: ReadPod, scripter: PodScripter | undefined): ScriptOf {
  return attempt(() => scriptsOf(pod, scripter)) ?? (() => ({}));
}

/**
 * Reports whether a pod has a script annotation. The simulated kubelet records events about
 * containers only for pods with the annotation.
 */
export function isScripted({ metadata }: ReadPod): boolean {
  return metadata.annotations?.[SCRIPT_ANNOTATION] !== undefined;
}

function containersOf({ spec }: ReadPod): ReadContainer[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/**
 * Reports whether a container exits without a script: an init container that is no sidecar, or a
 * container of a Job's pod.
 */
function exitsByItself(pod: ReadPod, container: ReadContainer): boolean {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  if (initContainers.includes(container)) return container.restartPolicy !== "Always";
  const ofJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === "Job") ?? false;
  return ofJob && containers.includes(container);
}

/**
 * Returns the script that the user's function returns for a container; `undefined` if the user gave
 * no function, or the function returns `undefined`.
 *
 * @throws {TerminalError} If the script is invalid.
 */
function functionScript(
  pod: ReadPod,
  container: string,
  scripter: PodScripter | undefined,
): ContainerScript | undefined {
  const script = scripter?.(pod, container);
  const problem = script === undefined ? undefined : scriptProblem(script);
  if (problem === undefined) return script;
  const { name } = pod.metadata;
  throw terminal(
    `Cannot run ${Pod.kind} ${name} by the script of a function: ${container}${problem}`,
  );
}

/**
 * Returns the scripts of a pod's annotation, by container name; an empty map without the
 * annotation.
 *
 * @throws {TerminalError} If the annotation is invalid.
 */
function annotatedScripts(
  pod: ReadPod,
  containers: readonly string[],
): Map<string, ContainerScript> {
  const text = pod.metadata.annotations?.[SCRIPT_ANNOTATION];
  if (text === undefined) return new Map();
  let scripts: unknown;
  try {
    scripts = JSON.parse(text);
  } catch (error) {
    throw refused(pod, `it is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(scripts)) throw refused(pod, "it must be an object, by container name");
  for (const [container, script] of Object.entries(scripts)) {
    const problem = scriptProblem(script);
    if (problem !== undefined) throw refused(pod, `${container}${problem}`);
    if (container === ANY_CONTAINER || containers.includes(container)) continue;
    const known = [...containers, ANY_CONTAINER].join(", ");
    throw refused(pod, `the pod has no container ${container}; known are ${known}`);
  }
  return new Map(Object.entries(scripts as Record<string, ContainerScript>));
}

function refused({ metadata: { name } }: ReadPod, why: string): Error {
  return terminal(
    `Cannot run ${Pod.kind} ${name} by its annotation ${SCRIPT_ANNOTATION}: ${why}`,
  );
}
