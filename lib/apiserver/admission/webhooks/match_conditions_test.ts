import assert from "node:assert/strict";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { ApiServer } from "../../server.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

Deno.test("match conditions see the objects in the version that the webhook's rules name", async () => {
  const called: string[] = [];
  using server = await ApiServer.start({
    controllers: false,
    callWebhook: ({ review }) => {
      const { request } = review as {
        readonly request: { readonly uid: string; readonly object: ApiObject };
      };
      called.push(request.object.apiVersion!);
      return Promise.resolve({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid: request.uid, allowed: true },
      });
    },
  });
  const expression = (variable: string): string =>
    `${variable} == null || ${variable}.spec.targetCPUUtilizationPercentage == 80`;
  await server.seed(
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind) => ({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind,
      metadata: { name: "autoscalers" },
      webhooks: [{
        name: "autoscalers.test.dev",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://webhook.invalid" },
        rules: [{
          apiGroups: ["autoscaling"],
          apiVersions: ["v1"],
          resources: ["horizontalpodautoscalers"],
          operations: ["*"],
        }],
        matchConditions: [
          { name: "object", expression: expression("object") },
          { name: "old", expression: expression("oldObject") },
        ],
      }],
    })),
  );
  const write = async (method: string, path: string, maxReplicas: number): Promise<void> => {
    const target = { type: "Utilization", averageUtilization: 80 };
    const body = JSON.stringify({
      metadata: { name: "a" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        maxReplicas,
        metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
      },
    });
    const headers = { "Content-Type": "application/json" };
    const request = new Request(`https://server.invalid${path}`, { method, headers, body });
    const response = await server.fetch(request);
    assert(response.ok, await response.text());
  };
  await write("POST", AUTOSCALERS, 2);
  await write("PUT", `${AUTOSCALERS}/a`, 3);
  assert.deepEqual(called, Array(4).fill("autoscaling/v1"));
});
