import assert from "node:assert/strict";
import { PatientServer } from "../server_fakes_test.ts";

interface Found {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

Deno.test("all resources and verbs of discovery are served", async () => {
  using server = await PatientServer.start();
  const { body: { groups } } = await server.send("GET", "/apis");
  const versions: string[] = groups.flatMap((group: { versions: { groupVersion: string }[] }) =>
    group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`)
  );
  let listed = 0;
  for (const root of ["/api/v1", ...versions]) {
    const { body } = await server.send("GET", root);
    assert.equal(body.kind, "APIResourceList", root);
    for (const { name, namespaced, verbs } of body.resources as Found[]) {
      if (name.includes("/")) continue;
      const path = `${root}${namespaced ? "/namespaces/default" : ""}/${name}`;
      const { code, body: list } = await server.send("GET", path);
      assert.equal(code, verbs.includes("list") ? 200 : 405, path);
      if (code !== 200) continue;
      listed++;
      assert.match(list.kind, /List$/, path);
    }
  }
  assert.ok(listed > 60, `only ${listed} lists`);
});

Deno.test("aggregated discovery has the resources of the single documents", async () => {
  using server = await PatientServer.start();
  const answer = await server.fetch(
    new Request("https://server.invalid/apis", {
      headers: { Accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
    }),
  );
  const { kind, items } = await answer.json();
  assert.equal(kind, "APIGroupDiscoveryList");
  for (const { metadata, versions } of items) {
    for (const { version, resources } of versions) {
      const { body } = await server.send("GET", `/apis/${metadata.name}/${version}`);
      const plain = (body.resources as Found[]).map(({ name }) => name).filter((name) =>
        !name.includes("/")
      );
      const names = resources.map(({ resource }: { resource: string }) => resource);
      assert.deepEqual(names.sort(), plain.sort(), `${metadata.name}/${version}`);
    }
  }
});
