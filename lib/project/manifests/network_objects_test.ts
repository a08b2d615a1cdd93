/** Tests of the objects by which others connect to an operator. */
import assert from "node:assert/strict";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap } from "@xca/apimachinery/meta";
import { defineOperator } from "../../controller/operator/operator.ts";
import { webhookFor } from "../../webhook/admission/webhook_builder.ts";
import { manifestsOf } from "./manifests_of.ts";

const guard = defineOperator({
  name: "guard",
  controllers: [],
  webhooks: [webhookFor(ConfigMap).validator({ create: () => {} })],
});

interface ServiceMonitor {
  readonly spec: {
    readonly endpoints: readonly { readonly port: string }[];
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  };
}

Deno.test("manifests: the ServiceMonitor selects the port of the metrics alone, beside webhooks", () => {
  const options = { name: "guard", namespace: "guard-system", image: "guard:1" };
  const objects = manifestsOf(guard, { ...options, serviceMonitor: true })
    .map(({ object }) => object);
  const monitor = objects.find(({ kind }) => kind === "ServiceMonitor") as unknown;
  const { endpoints, selector } = (monitor as ServiceMonitor).spec;
  const services = objects.filter(({ kind }) => kind === "Service") as unknown as V1Service[];
  assert.equal(services.length, 2);
  const scraped = services
    .filter(({ metadata }) =>
      Object.entries(selector.matchLabels).every(([key, value]) =>
        metadata?.labels?.[key] === value
      )
    )
    .flatMap(({ spec }) => spec?.ports ?? [])
    .filter(({ name }) => endpoints.some(({ port }) => port === name));
  assert.deepEqual(scraped.map(({ targetPort }) => targetPort), ["metrics"]);
});
