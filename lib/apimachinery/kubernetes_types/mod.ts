/**
 * The types of Kubernetes' own kinds and of their fields, in the form of JSON: dates are RFC 3339
 * strings, and quantities are strings. Types alone, nothing at run time. The names are those of
 * Kubernetes' clients: the version, then the type ({@linkcode V1Pod}, {@linkcode V1Container},
 * {@linkcode V2HorizontalPodAutoscaler}), with the group before it where two groups have a type of
 * that name ({@linkcode CoreV1Event}, {@linkcode EventsV1Event}).
 *
 * The constants of the resource types (`Pod`, `Deployment`) are in `@xca/operator` and
 * `@xca/apimachinery/meta`. The types of a kind's `apiVersion` and `kind` have one value each, so
 * that an object of another kind does not compile. `kubectl explain` describes the fields.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Deployment } from "@xca/apimachinery/meta";
 * import type { V1Container, V1Deployment } from "@xca/apimachinery/kubernetes-types";
 *
 * const container: V1Container = { name: "web", image: "nginx" };
 * const web: V1Deployment = {
 *   metadata: { name: "web" },
 *   spec: {
 *     replicas: 2,
 *     selector: { matchLabels: { app: "web" } },
 *     template: { spec: { containers: [container] } },
 *   },
 * };
 * assert(Deployment.id === "deployments.v1.apps" && web.spec?.replicas === 2);
 * ```
 *
 * @module
 */
// A task writes the types; `tests/packaging/exports.json` lists their names.
export type * from "./kinds.ts";
export type { Dashed, Wire, WireName, WireObject } from "./wire.ts";
