import assert from "node:assert/strict";
import { ApiServer } from "../server.ts";
import { parseManifests } from "./manifests.ts";
import { seedObjects } from "./seed_objects.ts";

Deno.test("manifests are split into documents, and lists into items", () => {
  const text = `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
# Nothing here.
---
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "b"}},
  {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "c-"}}
]}
`;
  const kinds = parseManifests(text).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["ConfigMap", "Secret", "Pod"]);
  assert.deepEqual(parseManifests(""), []);
});

Deno.test("YAML scalars have the types that kubectl gives them", () => {
  const text =
    "--- {apiVersion: v1, kind: A, metadata: {name: a}, x: [yes, 0777, 1_000, 1e400]}\n" +
    "--- # The second.\n{apiVersion: v1, kind: B, metadata: {name: '---'}, x: [2020-01-01]}\n---\n";
  assert.deepEqual(parseManifests(text).map(({ x }) => x), [
    [true, 511, 1000, "1e400"],
    ["2020-01-01"],
  ]);
});

Deno.test("a manifest that is not an object is refused with its position", () => {
  const refusals = {
    "5": "Cannot read document 1: it has no apiVersion",
    "# First.\n---\n5": "Cannot read document 1: it has no apiVersion",
    "{apiVersion: v1}": "Cannot read document 1: it has no kind",
    "{apiVersion: v1, kind: Pod}": "Cannot read document 1: its Pod has no metadata.name",
    "{apiVersion: v1, kind: A, metadata: {name: a}}\n---\n[]":
      "Cannot read document 2: it has no apiVersion",
    "{apiVersion: v1, kind: List, items: [null]}": "Cannot read document 1: it has no apiVersion",
  };
  for (const [text, message] of Object.entries(refusals)) {
    assert.throws(() => parseManifests(text), { name: "TypeError", message }, text);
  }
});

const SEED = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: example.com/v1, kind: Foo, metadata: {name: a, namespace: shop}, status: {ready: true}}
`;

Deno.test("seeding creates a definition, its objects and their status; seeding again changes nothing", async () => {
  using server = await ApiServer.start({ controllers: false });
  const [, , foo] = await server.seed(SEED);
  assert.deepEqual(foo!.status, { ready: true });
  const versions = (objects: readonly { readonly metadata: { resourceVersion?: string } }[]) =>
    objects.slice(1).map(({ metadata }) => metadata.resourceVersion);
  const again = await server.seed(SEED);
  assert.deepEqual(versions(await server.seed(SEED)), versions(again));
});

Deno.test("seeding writes the status of a kind without a status subresource", async () => {
  using server = await ApiServer.start({ controllers: false });
  const [, , foo] = await server.seed(SEED.replace("subresources: {status: {}}", ""));
  assert.deepEqual(foo!.status, { ready: true });
});

Deno.test("the error about a seeded object that the server refuses has the object's name", async () => {
  using server = await ApiServer.start({ controllers: false });
  await assert.rejects(
    server.seed("{apiVersion: v1, kind: ConfigMap, metadata: {name: A_}}"),
    /ConfigMap.*A_.*lowercase RFC 1123/s,
  );
});

Deno.test("a seed may be JSON with escapes and characters that YAML does not have", async () => {
  const data = { a: "\x7f\ud83d\ude00", b: "\\/" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data };
  const text = JSON.stringify(object).replace("\ud83d\ude00", "\\ud83d\\ude00").replace("/", "\\/");
  using server = await ApiServer.start();
  const [made] = await seedObjects((request) => server.fetch(request), parseManifests(text));
  assert.deepEqual(made?.data, data);
});
