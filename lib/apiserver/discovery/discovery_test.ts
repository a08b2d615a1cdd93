import assert from "node:assert/strict";
import { ApiServer } from "../server.ts";
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

Deno.test("the groups of extension APIs are in /apis, and have a document of their own", async () => {
  using server = await ApiServer.start({ controllers: false });
  await server.seed(["v1", "v2"].map((version) => ({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `${version}.ext.example.org` },
    spec: {
      group: "ext.example.org",
      version,
      service: { name: "ext", namespace: "default" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  })));
  const read = async (path: string) =>
    await (await server.fetch(new Request(`https://server.invalid${path}`))).json();
  const [v1, v2] = ["v1", "v2"].map((version) => ({
    groupVersion: `ext.example.org/${version}`,
    version,
  }));
  const group = { name: "ext.example.org", versions: [v2, v1], preferredVersion: v2 };
  for (const path of ["/apis", "/apis/"]) assert.deepEqual((await read(path)).groups.at(-1), group);
  assert.deepEqual(await read("/apis/ext.example.org"), {
    kind: "APIGroup",
    apiVersion: "v1",
    ...group,
  });
});

Deno.test("the groups of extension APIs are among the server's own by their priority", async () => {
  using server = await ApiServer.start({ controllers: false });
  await server.seed([["high", 17760], ["low", 1]].map(([group, groupPriorityMinimum]) => ({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `v1.${group}.example.org` },
    spec: {
      group: `${group}.example.org`,
      version: "v1",
      service: { name: "ext", namespace: "default" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum,
      versionPriority: 10,
    },
  })));
  const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  for (const accept of ["application/json", aggregated]) {
    const headers = { Accept: accept };
    const answer = await server.fetch(new Request("https://server.invalid/apis", { headers }));
    const { groups, items } = await answer.json();
    const names: string[] = groups?.map(({ name }: { name: string }) => name) ??
      items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    const at = names.indexOf("high.example.org");
    assert.deepEqual([names[0], names.at(-1)], ["apiregistration.k8s.io", "low.example.org"]);
    assert.deepEqual(names.slice(at - 1, at + 2), [
      "apps",
      "high.example.org",
      "events.k8s.io",
    ]);
  }
});
