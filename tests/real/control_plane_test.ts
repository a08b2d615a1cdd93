import assert from "node:assert/strict";
import { kubectl } from "./kubectl.ts";
import { realSuite } from "./suite.ts";

const suite = realSuite({ audit: true });

suite.test("kubectl works with the administrator's kubeconfig", async (plane) => {
  const names = await kubectl(plane, ["get", "namespaces", "-o", "name"]);
  assert.match(names, /^namespace\/default$/m);
});
