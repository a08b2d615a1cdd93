import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { withKind } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

/** Waits until something answers with a code. */
function untilCode(t: Target, path: string, code: number): Promise<void> {
  return until(
    async () => (await t.get(path, { unrecorded: true })).code === code,
    `that ${path} answers ${code}`,
  );
}

/** The objects that a server creates at its start: one or two names of each kind. */
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

conformance("a Service's address has an object for as long as it is the Service's", async (t) => {
  t.managedFields = true;
  const made = await t.post(`${t.path("services")}?fieldManager=m`, {
    metadata: { name: "a" },
    spec: { ports: [{ port: 80 }] },
  }, { unrecorded: true });
  const path = `${ADDRESSES}/${made.body.spec.clusterIP}`;
  await untilCode(t, path, 200);
  await t.get(path);
  await t.delete(t.path("services/a"), undefined, { unrecorded: true });
  await untilCode(t, path, 404);
});

conformance("a Service that gives its address back leaves no object of it", async (t) => {
  const made = await t.post(t.path("services"), {
    metadata: { name: "a" },
    spec: { ports: [{ port: 80 }] },
  }, { unrecorded: true });
  const path = `${ADDRESSES}/${made.body.spec.clusterIP}`;
  await untilCode(t, path, 200);
  const spec = { type: "ExternalName", externalName: "a.b", clusterIP: null, clusterIPs: null };
  const changed = await t.patch("merge", t.path("services/a"), { spec }, { unrecorded: true });
  assert.equal(changed.code, 200, changed.body.message);
  await untilCode(t, path, 404);
});

conformance(
  "each version of custom resources has an APIService, made again if need be",
  async (t) => {
    t.managedFields = true;
    const schema = { openAPIV3Schema: { type: "object" } };
    const versions = ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema,
    }));
    let group: string;
    await withKind(t, { versions }, async (kind) => {
      group = kind.group;
      // Which of them is made first is open.
      await untilCode(t, `${API_SERVICES}/v1.${group}`, 200);
      await untilCode(t, `${API_SERVICES}/v2.${group}`, 200);
      await t.get(`${API_SERVICES}/v2.${group}`);
      const { body } = await t.get(`${API_SERVICES}/v2.${group}`, { unrecorded: true });
      await t.delete(`${API_SERVICES}/v2.${group}`, undefined, { unrecorded: true });
      await until(async () => {
        const again = await t.get(`${API_SERVICES}/v2.${group}`, { unrecorded: true });
        return again.code === 200 && again.body.metadata.uid !== body.metadata.uid;
      }, "that it is made again");
      const unserved = versions.map((each) => ({ ...each, served: each.name === "v1" }));
      const patch = { spec: { versions: unserved } };
      await t.patch("merge", kind.definitionPath, patch, { unrecorded: true });
      await untilCode(t, `${API_SERVICES}/v2.${group}`, 404);
    });
    await untilCode(t, `${API_SERVICES}/v1.${group!}`, 404);
  },
);
