import assert from "node:assert/strict";
import { createClient, runOperator } from "@xca/operator";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { planeSuite } from "../tests/real/suite.ts";
import { until } from "../tests/support/until.ts";
import { operator, Xca } from "./02_xca.ts";

const suite = planeSuite();

suite.test("example 02: every Xca becomes active, those there before and those that come", async (plane) => {
  using client = createClient(plane.config);
  await client.create(CustomResourceDefinition, Xca.crd);
  const isServed = (): Promise<boolean> => client.list(Xca).then(() => true, () => false);
  await until(isServed);
  const create = (name: string): Promise<Xca> =>
    client.create(Xca, { metadata: { namespace: "default", name }, spec: { foo: name } });
  await create("early");

  const running = runOperator(operator, { client });
  await running.ready;
  await create("late");
  for (const name of ["early", "late"]) {
    await until(async () => (await client.get(Xca, `default/${name}`)).status?.active === true);
    const { status } = await client.get(Xca, `default/${name}`);
    assert.match(status!.last_update_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  await running.stop();
});
