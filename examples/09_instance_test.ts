import assert from "node:assert/strict";
import { createClient } from "@xca/operator";
import {
  CustomResourceDefinition,
  isConditionTrue,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { crdYaml, validate } from "@xca/operator/resource";
import { expectObject } from "@xca/operator/testing";
import { planeSuite } from "../tests/real/suite.ts";
import { Instance } from "./09_instance.ts";

const suite = planeSuite();
const spec = { regionID: "r1", zoneID: "r1-a", vpcID: "vpc-1", subnetID: "subnet-1" };

Deno.test("example 09: the definition of Instance is the golden file, byte for byte", async () => {
  const golden = new URL("./09_instance.yaml", import.meta.url);
  assert.equal(await crdYaml(Instance), await Deno.readTextFile(golden));
});

Deno.test("example 09: metadata and spec are required at the root, and there is no status", () => {
  const [version, ...others] = Instance.crd.spec.versions;
  assert.deepEqual(others, []);
  assert.equal(version!.subresources, undefined);
  const schema = version!.schema!.openAPIV3Schema!;
  assert.deepEqual(schema.required, ["metadata", "spec"]);
  assert.equal(schema.properties!.status, undefined);
  assert.deepEqual(schema.properties!.spec!.required, Object.keys(spec).sort());
});

suite.test("example 09: the definition is installed without a warning, and local validation refuses what the server refuses", async (plane) => {
  const warnings: string[] = [];
  using client = createClient(plane.config, { onWarning: (text) => void warnings.push(text) });
  await client.create(CustomResourceDefinition, Instance.crd);
  await expectObject(
    client,
    CustomResourceDefinition,
    Instance.crd.metadata!.name!,
    ({ status }) => isConditionTrue(status?.conditions, "Established"),
  );
  assert.deepEqual(warnings, []);
  const { vpcID: _, ...incomplete } = spec;
  for (const [index, given] of [spec, incomplete, { ...spec, zoneID: 1 }, undefined].entries()) {
    const object: UnstructuredObject = {
      metadata: { name: `i-${index}`, namespace: "default" },
      ...(given && { spec: given }),
    };
    const problems = await validate(Instance, object);
    const create = client.create(Instance, object as unknown as Instance);
    if (index === 0) {
      assert.deepEqual([problems, (await create).spec], [[], spec]);
      continue;
    }
    await assert.rejects(create, (error: Error) => {
      return problems.length > 0 &&
        problems.every(({ field, message }) => error.message.includes(`${field}: ${message}`));
    });
  }
});
