import assert from "node:assert/strict";
import { aggregateRequests, podQosClass, type ResourceContainer } from "./pod_resources.ts";
import { addQuantities } from "./quantity_sum.ts";

function asking(cpu: string, more: ResourceContainer = {}): ResourceContainer {
  return { resources: { requests: { cpu } }, ...more };
}

Deno.test("the requests of containers add up, those of init containers are compared", () => {
  const spec = {
    containers: [asking("100m"), asking("200m")],
    initContainers: [
      asking("1"),
      asking("50m", { restartPolicy: "Always" }),
      asking("900m"),
    ],
  };
  assert.deepEqual(aggregateRequests(spec), { cpu: "1" });
  assert.deepEqual(aggregateRequests({ ...spec, initContainers: [] }), { cpu: "300m" });
});

Deno.test("a sidecar adds to the containers after it", () => {
  const spec = {
    containers: [asking("100m")],
    initContainers: [asking("500m", { restartPolicy: "Always" }), asking("1")],
  };
  assert.deepEqual(aggregateRequests(spec), { cpu: "1500m" });
});

Deno.test("sums keep the notation of the first quantity", () => {
  assert.equal(addQuantities("1Gi", "512Mi"), "1536Mi");
  assert.equal(addQuantities("500m", "500m"), "1");
  assert.equal(addQuantities("0", "1Ki"), "1Ki");
});

Deno.test("the quality of service class of a pod follows its requests and limits", () => {
  const both = { cpu: "1", memory: "1Gi" };
  const containers = (
    resources: ResourceContainer["resources"],
  ): ResourceContainer[] => [{ resources: resources! }];
  assert.equal(podQosClass({ containers: containers({}) }), "BestEffort");
  assert.equal(podQosClass({ containers: containers({ requests: { cpu: "1" } }) }), "Burstable");
  const guaranteed = { requests: both, limits: both };
  assert.equal(podQosClass({ containers: containers(guaranteed) }), "Guaranteed");
  assert.equal(podQosClass({ containers: containers({}), resources: guaranteed }), "Guaranteed");
});
