import assert from "node:assert/strict";
import { createClient, discoveryClient } from "../../lib/client/mod.ts";
import * as builtin from "../../lib/apimachinery/meta/builtin.ts";
import type { ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import { planeSuite } from "../real/suite.ts";

const suite = planeSuite();

function named({ id, apiVersion, kind, scope }: ResourceType): string {
  return `${id}: ${kind} of ${apiVersion}, ${scope}`;
}

suite.test("the constants of built-in kinds are all kinds that the server serves", async (plane) => {
  using client = createClient(plane.config);
  const { groups, failures } = await discoveryClient(client).resources();
  assert.deepEqual(failures, []);
  const served = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
    .map(named).sort();
  assert(served.length > 60, `only ${served.length} resources are served`);
  assert.deepEqual(Object.values(builtin).map((type) => named(type)).sort(), served);
});
