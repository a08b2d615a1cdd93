import assert from "node:assert/strict";
import { distributionOf } from "./traffic_hints.ts";

Deno.test("hints follow the traffic distribution, unless an annotation asks for those by zones", () => {
  const of = (annotations: Record<string, string>, trafficDistribution = "PreferClose") =>
    distributionOf({ metadata: { name: "web", annotations }, spec: { trafficDistribution } });
  assert.equal(of({}), "PreferClose");
  assert.equal(of({}, "Elsewhere"), undefined);
  assert.equal(of({ "service.kubernetes.io/topology-mode": "Auto" }), undefined);
  assert.equal(of({ "service.kubernetes.io/topology-mode": "Disabled" }), "PreferClose");
  assert.equal(
    of({
      "service.kubernetes.io/topology-aware-hints": "Disabled",
      "service.kubernetes.io/topology-mode": "Auto",
    }),
    "PreferClose",
  );
});
