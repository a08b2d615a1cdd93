import assert from "node:assert/strict";
import { ControlPlane } from "./control_plane.ts";
import { ControlPlaneUnavailable } from "./control_plane_assets.ts";

Deno.test("a control plane with controllers names the way to get their program", async () => {
  const assets = { etcd: "/none", kubeApiserver: "/none", kubeControllerManager: undefined };
  await assert.rejects(
    ControlPlane.start({ controllers: ["namespace-controller"], assets }),
    (error) =>
      error instanceof ControlPlaneUnavailable && /--controller-manager/.test(error.message),
  );
});
