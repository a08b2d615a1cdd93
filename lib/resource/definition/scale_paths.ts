import type { ScalePathsInit } from "./resource_init.ts";

/** The field paths of a resource's scale subresource, with defaults filled in. */
export interface ScaleFields {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Returns the field paths of a resource's scale subresource, with defaults filled in. */
export function scalePathsOf(scale: true | ScalePathsInit): ScaleFields {
  return {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    ...(scale === true ? {} : scale),
  };
}
