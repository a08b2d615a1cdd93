import assert from "node:assert/strict";
import { createClient } from "@xca/operator/client";
import { Deployment } from "@xca/operator/meta";
import { planeSuite } from "../tests/real/suite.ts";
import { showAccess } from "./07_client_access.ts";

const suite = planeSuite();

suite.test("example 07: four ways of access reach one Deployment", async (plane) => {
  using client = createClient(plane.config);
  const labels = { app: "web" };
  await client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "nginx" }] },
      },
    },
  });
  const lines: string[] = [];
  await showAccess(client, {
    namespace: "default",
    name: "web",
    print: (line) => lines.push(line.replace(/v\d+\.\d+\.\d+\S*/, "v1.2.3")),
  });
  assert.deepEqual(lines, [
    "typed: web asks for 2 replicas",
    "discovery: v1.2.3 serves deployments.v1.apps, of kind Deployment",
    "discovery: it has scale and status",
    "dynamic: web in default",
    "REST: its scale is set to 3, and read back as 3",
  ]);
});
