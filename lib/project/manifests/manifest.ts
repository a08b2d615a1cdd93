import type { KubeObject } from "@xca/apimachinery/meta";

/** The part of an operator's deployment that a manifest belongs to; each part is a file. */
export type ManifestPart =
  | "namespace"
  | "crds"
  | "rbac"
  | "manager"
  | "webhooks"
  | "certificates"
  | "network-policy"
  | "monitoring";

/**
 * The manifest of an object of an operator's deployment, with the part that the object belongs to.
 */
export interface Manifest {
  /** The part of the deployment that the manifest belongs to. */
  readonly part: ManifestPart;
  /** The object of the manifest, as it is applied to a cluster. */
  readonly object: ManifestObject;
}

/** An object in a manifest, with its API version and kind. */
export interface ManifestObject extends KubeObject {
  /** The API version of the manifest's object. */
  apiVersion: string;
  /** The kind of the manifest's object. */
  kind: string;
}

/** The names that all manifests of an operator share. */
export interface DeploymentNames {
  /** The name of the operator's Deployment and ServiceAccount, and the prefix of other names. */
  readonly name: string;
  /** The namespace that the operator runs in. */
  readonly namespace: string;
}

/** The port of the health server of an operator's program. */
export const HEALTH_PORT = 8081;
/** The port of the metrics server of an operator's program. */
export const METRICS_PORT = 8443;

/** Returns the labels of the objects of an operator (`app.kubernetes.io`, recommended labels). */
export function labelsOf({ name }: DeploymentNames): Record<string, string> {
  return { "app.kubernetes.io/name": name, "app.kubernetes.io/component": "operator" };
}

/** Returns the labels that select the pods of an operator. */
export function selectorOf({ name }: DeploymentNames): Record<string, string> {
  return { "app.kubernetes.io/name": name, "app.kubernetes.io/component": "operator" };
}

/** Returns the name of the Service in front of an operator's webhook server. */
export function webhookServiceOf({ name }: DeploymentNames): string {
  return `${name}-webhooks`;
}

/** Returns the name of the Secret with the certificate of an operator's webhook server. */
export function webhookSecretOf({ name }: DeploymentNames): string {
  return `${name}-webhook-certificate`;
}
