/** Tests of the kustomization that is generated from manifests. */
import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { load } from "js-yaml";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { webhookFor } from "../../webhook/admission/webhook_builder.ts";
import { manifestsOf, type ManifestsOptions } from "../manifests/manifests_of.ts";
import { kustomizeFiles } from "./kustomize_files.ts";

const guard = defineOperator({
  name: "guard",
  controllers: [controllerFor(ConfigMap).reconcile(() => {})],
  webhooks: [webhookFor(ConfigMap).validator({ create: () => {} })],
});

/** Returns the overlay `default` of the kustomization for the given options. */
function overlayOf(own: Partial<ManifestsOptions>): Record<string, unknown> {
  const options = { name: "guard", namespace: "guard-system", image: "guard:1", ...own };
  const files = kustomizeFiles(manifestsOf(guard, options), options);
  const overlay = files.find(({ path }) => path === "default/kustomization.yaml");
  return load(overlay!.text) as Record<string, unknown>;
}

Deno.test("kustomize: the overlay sets the namespace, unless that moved roles of other namespaces", () => {
  assert.equal(overlayOf({}).namespace, "guard-system");
  assert.equal(overlayOf({ watchNamespaces: ["guard-system"] }).namespace, "guard-system");
  assert.equal(overlayOf({ watchNamespaces: ["shop"] }).namespace, undefined);
});

Deno.test("kustomize: the names in the certificate, and the references to it, follow the namespace", () => {
  assert.equal(overlayOf({}).replacements, undefined);
  const { replacements } = overlayOf({ certificates: "cert-manager" });
  const certificate = { kind: "Certificate", name: "guard-serving-cert" };
  assert.deepEqual(replacements, [{
    source: { ...certificate, fieldPath: "metadata.namespace" },
    targets: [
      {
        select: certificate,
        fieldPaths: ["spec.dnsNames.0", "spec.dnsNames.1"],
        options: { delimiter: ".", index: 1 },
      },
      {
        select: {
          kind: "ValidatingWebhookConfiguration",
          name: "guard-validating-webhook-configuration",
        },
        fieldPaths: ["metadata.annotations.[cert-manager.io/inject-ca-from]"],
        options: { delimiter: "/", index: 0 },
      },
    ],
  }]);
});
