/** Tests of the Helm chart that is generated from manifests. */
import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { defineOperator } from "../../controller/operator/operator.ts";
import { webhookFor } from "../../webhook/admission/webhook_builder.ts";
import { manifestsOf } from "../manifests/manifests_of.ts";
import { helmFiles } from "./helm_files.ts";

const guard = defineOperator({
  name: "guard",
  controllers: [],
  webhooks: [webhookFor(ConfigMap).validator({ create: () => {} })],
});

/** Returns the texts of the templates of a chart, by their paths. */
function templatesOf(namespace: string): Record<string, string> {
  const options = {
    name: "guard",
    namespace,
    image: "guard:1",
    certificates: "cert-manager",
  } as const;
  const files = helmFiles(manifestsOf(guard, options), { ...options, version: "1.2.3" });
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

for (const namespace of ["apps", "policy", "guard-system"]) {
  Deno.test(`helm: the namespace ${namespace} is replaced where a text names it, not in API versions`, () => {
    const templates = templatesOf(namespace);
    const versions = templates["templates/manager.yaml"]!.match(/^apiVersion: .*$/gm);
    assert.deepEqual(versions, ["apiVersion: v1", "apiVersion: apps/v1", "apiVersion: policy/v1"]);
    assert.match(
      templates["templates/webhooks.yaml"]!,
      /inject-ca-from: "?\{\{ \$\.Release\.Namespace \}\}\/guard-serving-cert/,
    );
    assert.match(
      templates["templates/certificates.yaml"]!,
      /- "?guard-webhooks\.\{\{ \$\.Release\.Namespace \}\}\.svc/,
    );
  });
}
