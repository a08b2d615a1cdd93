import type { KindNames } from "../scaffold/kind_names.ts";

/**
 * Returns the text of a project's `controllers/<kind>_test.ts`: a test on the embedded API server.
 */
export function controllerTestModule(names: KindNames): string {
  const { kind, group, version, file, variable } = names;
  return `import assert from "node:assert/strict";
import { ConfigMap, defineOperator } from "@xca/operator";
import { runOperator } from "@xca/operator/controller";
import { findCondition } from "@xca/operator/meta";
import { ApiServer, clientOf, expectObject } from "@xca/operator/testing";
import { ${kind} } from "../api/${version}/${file}.ts";
import { ${variable}Controller } from "./${file}.ts";

Deno.test("${kind}: a ConfigMap has its message, and it is ready", async () => {
  using server = await ApiServer.start(); // in this process, without a network
  using client = clientOf(server);
  const operator = defineOperator({ name: "test", controllers: [${variable}Controller] });
  await server.seed(operator.crds);
  await server.seed(\`
    apiVersion: ${group}/${version}
    kind: ${kind}
    metadata: { name: first }
    spec: { message: good morning }
  \`);

  const running = runOperator(operator, { client });
  await running.idle(); // no work is left
  await expectObject(server, ConfigMap, "default/first-${file}", {
    data: { message: "good morning" },
  });
  const { status } = await client.get(${kind}, "default/first");
  assert.equal(findCondition(status?.conditions, "Ready")?.status, "True");
  await running.stop();
});
`;
}
