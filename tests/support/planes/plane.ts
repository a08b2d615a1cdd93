import type { ControlPlane } from "../../../lib/testing/plane/control_plane.ts";

/**
 * An API server in a process of its own: a real control plane, or the embedded server. Tests kill
 * both and start them again with the same data.
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
    /** Reports whether the plane is the embedded server. */
    readonly embedded?: true;
  };
