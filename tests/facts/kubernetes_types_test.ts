import assert from "node:assert/strict";
import { RESOURCE_FACTS } from "../../lib/apiserver/facts/resources.ts";
import { TYPE_FACTS } from "../../lib/apiserver/facts/types.ts";
import type { PackageFacts, ResourceFacts } from "../../lib/apiserver/types/fact_shapes.ts";
import { FACTS, typesOfKinds } from "./dump.ts";
import type { Structs } from "./kubernetes_type_graph.ts";

/** The facts of types as they are committed; those that are held to kube-apiserver. */
function committedStructs(): Structs {
  return new Map(
    Object.entries(TYPE_FACTS).flatMap(([prefix, text]) =>
      Object.entries(JSON.parse(text) as PackageFacts)
        .map(([name, struct]) => [`${prefix}.${name}`, struct] as const)
    ),
  );
}

Deno.test("the types and constants of built-in kinds are generated from the facts", async () => {
  const { versions } = JSON.parse(RESOURCE_FACTS) as ResourceFacts;
  const files = await typesOfKinds(committedStructs(), versions);
  for (const [name, text] of files) {
    const committed = await Deno.readTextFile(new URL(name, FACTS));
    assert(committed === text, `${name} is out of date: write it anew by deno task facts:dump`);
  }
  const folder = "../../apimachinery/kubernetes_types/types/";
  const written = files.map(([name]) => name).filter((name) => name.startsWith(folder));
  const found = [...Deno.readDirSync(new URL(folder, FACTS))].map(({ name }) => folder + name);
  assert.deepEqual(found.sort(), written.sort());
});
