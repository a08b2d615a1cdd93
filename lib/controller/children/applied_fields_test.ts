import assert from "node:assert/strict";
import type { Random } from "@xca/apimachinery/base";
import type { V1Service, V1ServicePort } from "@xca/apimachinery/kubernetes-types";
import { Service } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import { withCluster } from "../../../tests/support/in_process/helper_cluster.ts";
import { appliedFields, isApplied } from "./applied_fields.ts";

const MANAGER = "web-operator";

/** Returns a random Service with maps, a keyed list, an atomic list and a set. */
function randomService(random: Random): V1Service & { metadata: { name: string } } {
  const pick = (limit: number): number => Math.floor(random.next() * limit);
  const some = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.filter(() => pick(2) === 0).map((name) => [name, `${pick(2)}`]));
  const port = (name: string, index: number): V1ServicePort => ({
    name,
    port: 80 + index,
    ...(pick(2) === 0 && { protocol: "TCP" }),
    ...(pick(2) === 0 && { targetPort: 8_000 + pick(2) }),
  });
  const ports = ["web", "admin", "metrics"].filter((_, index) => index === 0 || pick(2) === 0)
    .map((name, index) => port(name, index));
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "web",
      namespace: "default",
      ...(pick(2) === 0 && { labels: some(["a", "b"]) }),
      ...(pick(3) === 0 && { finalizers: ["example.org/a", "example.org/b"].slice(pick(2)) }),
    },
    spec: {
      ports: pick(4) === 0 ? ports.toReversed() : ports,
      ...(pick(2) === 0 && { selector: some(["app", "tier"]) }),
      ...(pick(3) === 0 && { externalIPs: ["10.0.0.1", "10.0.0.2"].slice(pick(2)) }),
      ...(pick(3) === 0 && { publishNotReadyAddresses: pick(2) === 0 }),
    },
  };
}

/** Returns what an apply may change: the object, and the fields of the manager. */
function contentOf(service: V1Service): unknown {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = service.metadata;
  return { ...service, metadata, owned: appliedFields(service, MANAGER, "v1") };
}

Deno.test("isApplied() of random objects is true only when the server answers the apply without a change", async () => {
  const { seed, random } = printedRandom();
  await withCluster(async ({ client }) => {
    let [trues, falses] = [0, 0];
    let wanted = randomService(random);
    let current = await client.apply(Service, wanted, { fieldManager: MANAGER, force: true });
    for (let round = 0; round < 150; round++) {
      // Another writer changes the object, or the wanted fields change, or neither.
      const action = Math.floor(random.next() * 3);
      if (action === 0) {
        const { metadata, spec } = randomService(random);
        const body = { metadata: { labels: metadata.labels }, spec: { selector: spec?.selector } };
        current = await client.patch(Service, "default/web", { type: "merge", body });
      } else if (action === 1) wanted = randomService(random);
      const says = isApplied(current, wanted, MANAGER);
      const applied = await client.apply(Service, wanted, { fieldManager: MANAGER, force: true });
      if (says) trues++;
      if (!says) falses++;
      const about = `seed ${seed}, round ${round}: ${JSON.stringify({ current, wanted })}`;
      if (says) assert.deepEqual(contentOf(applied), contentOf(current), about);
      // An empty map may be a whole value or a map to which others add; only the server knows.
      const isSure = !JSON.stringify(wanted).includes("{}");
      if (isSure) assert(isApplied(applied, wanted, MANAGER), about);
      current = applied;
    }
    assert(trues > 5 && falses > 5, `seed ${seed}: ${trues} true, ${falses} false`);
  });
});

Deno.test("isApplied() is false for the fields of another manager, of another version, and without managed fields", () => {
  const wanted = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { a: "eA==" } };
  const current = (entry: object) => ({
    ...wanted,
    metadata: {
      ...wanted.metadata,
      managedFields: [{
        manager: MANAGER,
        operation: "Apply",
        apiVersion: "v1",
        fieldsV1: { "f:data": { "f:a": {} } },
        ...entry,
      }],
    },
  });
  assert(isApplied(current({}), wanted, MANAGER));
  for (
    const entry of [
      { manager: "other" },
      { operation: "Update" },
      { apiVersion: "v2" },
      { subresource: "status" },
      { fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } } },
      { fieldsV1: undefined },
    ]
  ) assert(!isApplied(current(entry), wanted, MANAGER), JSON.stringify(entry));
  assert(!isApplied(wanted, wanted, MANAGER));
});
