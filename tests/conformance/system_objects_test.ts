import assert from "node:assert/strict";
import { conformanceSuite } from "./suite.ts";

const conformance = conformanceSuite(import.meta.url);

/** What a server makes at its start, whoever else writes to it; a name or two of each. */
const FIRST = {
  "/apis/apiregistration.k8s.io/v1/apiservices": ["v1.", "v1.apps", "v2.autoscaling"],
  "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas": ["catch-all", "exempt", "probes"],
  "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations": ["catch-all", "system"],
  "/apis/networking.k8s.io/v1/servicecidrs": ["kubernetes"],
  "/apis/scheduling.k8s.io/v1/priorityclasses": ["system-node-critical"],
  "/apis/rbac.authorization.k8s.io/v1/clusterroles": ["view"],
  "/api/v1/namespaces": ["default", "kube-node-lease", "kube-public", "kube-system"],
};

for (const [path, names] of Object.entries(FIRST)) {
  for (const name of names) {
    conformance(`${name} of ${path.split("/").at(-1)} is there from the start`, async (t) => {
      t.managedFields = !path.endsWith("/namespaces");
      assert.equal((await t.get(`${path}/${name}`)).code, 200);
    });
  }
}
