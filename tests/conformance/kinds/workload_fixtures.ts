/**
 * Pods and templates of pods that the cases of workload kinds begin with.
 *
 * @module
 */
import type { Answer, CallOptions, Target } from "../target.ts";

/** Some fields of an object. */
export type Some = Readonly<Record<string, unknown>>;

/** A container with what a case adds. */
export function container(more: Some = {}): Some {
  return { name: "c", image: "nginx:1.29", ...more };
}

/** A pod with what a case adds to its spec. */
export function pod(spec: Some = {}, metadata: Some = {}): Some {
  return { metadata: { name: "p", ...metadata }, spec: { containers: [container()], ...spec } };
}

/** A template of pods labelled `app: web`. */
export function template(spec: Some = {}): Some {
  return { metadata: { labels: { app: "web" } }, spec: { containers: [container()], ...spec } };
}

/** The selector that finds the pods of {@linkcode template}. */
export const SELECTOR: Some = { matchLabels: { app: "web" } };

/** Creates a pod. */
export function createPod(t: Target, spec: Some = {}, metadata: Some = {}): Promise<Answer> {
  return t.post(t.path("pods"), pod(spec, metadata));
}

/** Creates a pod with one container. */
export function createContainer(t: Target, more: Some): Promise<Answer> {
  return createPod(t, { containers: [container(more)] });
}

/** Merges into an object. */
export function merge(
  t: Target,
  path: string,
  body: Some,
  options?: CallOptions,
): Promise<Answer> {
  return t.patch("merge", path, body, options);
}
