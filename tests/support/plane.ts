import type { ControlPlane } from "../../lib/testing/plane/control_plane.ts";

/**
 * What tests need of an API server in a process of its own: a real control plane, or the embedded
 * server. Both are killed and started again with their data kept.
 */
export type Plane =
  & Pick<
    ControlPlane,
    | "url"
    | "caData"
    | "dir"
    | "admin"
    | "config"
    | "kubeconfig"
    | "kubeconfigPath"
    | "fetch"
    | "auditEvents"
    | "addUser"
    | "killApiserver"
    | "startApiserver"
    | "restartApiserver"
    | "expireHistory"
  >
  & AsyncDisposable
  & {
    /** `true` of the embedded server. */
    readonly embedded?: true;
  };
