/** Tests of the bundle for the Operator Lifecycle Manager that is generated from manifests. */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import type { PolicyRule } from "../../rbac/policy_rule.ts";
import { manifestsOf } from "../manifests/manifests_of.ts";
import { olmFiles } from "./olm_files.ts";

const copier = defineOperator({
  name: "copier",
  controllers: [
    controllerFor(ConfigMap).uses(Secret, ["get"], { namespaces: ["shop"] }).reconcile(() => {}),
  ],
});

type Permissions = readonly { readonly rules: readonly PolicyRule[] }[];

/** Returns the access that a bundle requests for the cluster, and for the operator's namespace. */
function requested(watchNamespaces?: readonly string[]): string[][] {
  const options = { name: "copier", namespace: "copier-system", image: "copier:1", metrics: false };
  const manifests = manifestsOf(copier, { ...options, watchNamespaces });
  const [csv] = olmFiles(manifests, { ...options, version: "1.2.3" });
  const { spec } = load(csv!.text) as {
    spec: { install: { spec: { clusterPermissions: Permissions; permissions: Permissions } } };
  };
  const { clusterPermissions, permissions } = spec.install.spec;
  return [clusterPermissions, permissions].map((all) =>
    all.flatMap(({ rules }) => rules).map(({ resources, verbs }) => `${resources}: ${verbs}`)
  );
}

Deno.test("olm: rules for namespaces other than the operator's are requested for the cluster", () => {
  const maps = "configmaps: list,watch";
  const leases = ["leases: create", "leases: get,update"];
  assert.deepEqual(requested(), [[maps, "secrets: get"], leases]);
  assert.deepEqual(requested(["shop", "stock"]), [[maps, "secrets: get"], leases]);
  assert.deepEqual(requested(["copier-system"]), [["secrets: get"], [maps, ...leases]]);
});
