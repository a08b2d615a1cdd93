import type { ScalePathsInit } from "./resource_init.ts";

/** The fields of a scale subresource with their defaults. */
export interface ScaleFields {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Returns the fields of a scale subresource with their defaults. */
export function scalePathsOf(scale: true | ScalePathsInit): ScaleFields {
  return {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    ...(scale === true ? {} : scale),
  };
}
