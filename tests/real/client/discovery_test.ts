import assert from "node:assert/strict";
import {
  type ApiResource,
  type Client,
  createClient,
  discoveryClient,
  dryRunOnly,
  dynamicClient,
  inNamespace,
  isNotFound,
  NoMatchError,
  restClient,
  withFieldOwner,
} from "../../../lib/client/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
} from "../../../lib/apimachinery/meta/mod.ts";
import { kubectl } from "../kubectl.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until, untilAnswered } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

/** The rows of a table with a header line, cut where the headers begin. */
function tableRows(text: string): Record<string, string>[] {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const columns = [...header.matchAll(/\S+/g)].map(({ 0: name, index }) => ({ name, index }));
  return lines.map((line) =>
    Object.fromEntries(
      columns.map(({ name, index }, i) => [name, line.slice(index, columns[i + 1]?.index).trim()]),
    )
  );
}

function row(resource: ApiResource): Record<string, string> {
  return {
    NAME: resource.plural,
    SHORTNAMES: resource.shortNames.join(","),
    APIVERSION: resource.apiVersion,
    NAMESPACED: String(resource.scope === "Namespaced"),
    KIND: resource.kind,
    VERBS: resource.verbs.join(","),
    CATEGORIES: resource.categories.join(","),
  };
}

function byName(rows: readonly Record<string, string>[]): Record<string, string>[] {
  const key = ({ NAME, APIVERSION }: Record<string, string>): string => `${NAME} ${APIVERSION}`;
  return rows.toSorted((a, b) => key(a) < key(b) ? -1 : 1);
}

interface Names {
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: string[];
}

async function define(client: Client, names: Names): Promise<void> {
  const group = "discovery.example.org";
  const schema = { openAPIV3Schema: { type: "object" } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names,
      versions: ["v1", "v1beta1"].map((name) => ({
        name,
        served: true,
        storage: name === "v1",
        schema,
      })),
    },
  });
}

/** A definition is discovered a moment after it was accepted; each try is a miss that asks anew. */
function untilFound<T>(find: () => Promise<T>): Promise<T> {
  return untilAnswered(find, (error) => error instanceof NoMatchError);
}

suite.test(
  "discovery finds the names and verbs that kubectl api-resources prints",
  async (plane) => {
    using client = createClient(plane.config);
    const printed = tableRows(await kubectl(plane, ["api-resources", "-o", "wide"]));
    assert.ok(printed.length > 50);
    const found = await discoveryClient(client).preferredResources();
    assert.deepEqual(byName(found.map(row)), byName(printed));
  },
  { kubectl: true },
);

suite.test("aggregated and legacy discovery give one result", async (plane) => {
  using client = createClient(plane.config);
  const aggregated = await discoveryClient(client).resources();
  const legacy = await discoveryClient(client, { legacy: true }).resources();
  assert.deepEqual([aggregated.format, legacy.format], ["aggregated", "legacy"]);
  assert.deepEqual(legacy.groups, aggregated.groups);
  assert.deepEqual([aggregated.failures, legacy.failures], [[], []]);
  const [deployments] = await discoveryClient(client).mappings("deploy");
  assert.deepEqual(
    deployments!.resource.subresources.map(({ name, responseKind }) => [name, responseKind.kind]),
    [["scale", "Scale"], ["status", "Deployment"]],
  );
});

suite.test("resource names mean the resources that they mean to kubectl get", async (plane) => {
  using client = createClient(plane.config);
  const discovery = discoveryClient(client, { minRefreshMs: 1 });
  // Its singular is not its kind.
  await define(client, { plural: "bulbs", kind: "LightBulb", singular: "bulb", shortNames: [] });
  await untilFound(() => discovery.resourceFor("bulbs"));
  const group = "discovery.example.org";
  const names = [
    ...["bulb", "Bulbs", "LightBulb", "lightbulb", `LightBulb.${group}`, `lightbulb.${group}`],
    ...[`LightBulb.v1beta1.${group}`, `LightBulb.v2.${group}`, `Lightbulb.${group}`],
    ..."pods pod po PODS Pod PO events ev Event deploy Deployment deployments.apps".split(
      " ",
    ),
    ..."deployment.app deployments.v1.apps deployments.v2.apps Deployment.v1.apps".split(" "),
    ..."deploy.apps hpa csr CSR pods.v1 pods.v1. events.events.k8s.io".split(
      " ",
    ),
    ..."ev.events.k8s.io ingress.networking ing.net storageclass.storage podz deploymnet".split(
      " ",
    ),
    ..."leases.coordination.k8s.io foo.bar netpol ComponentStatus cs ns.".split(" "),
  ];
  for (const name of names) {
    const ours = await discovery.resourceFor(name).then(({ id }) => id, (error) => {
      assert.ok(error instanceof NoMatchError, String(error));
      return error.message.replace(/;.*/, "");
    });
    assert.equal(ours, await verdictOfKubectl(plane, name), name);
  }
}, { kubectl: true });

/** Returns the request path of kubectl, or its error message. */
async function verdictOfKubectl(plane: Plane, name: string): Promise<string> {
  const args = ["get", name, "-A", "-v=6", "--ignore-not-found"];
  const child = new Deno.Command("kubectl", {
    args: [
      `--kubeconfig=${plane.admin.kubeconfigPath}`,
      `--cache-dir=${plane.dir}/kubectl-cache`,
      ...args,
    ],
    stdout: "piped",
    stderr: "piped",
  });
  const text = new TextDecoder().decode((await child.output()).stderr);
  const refused = /error: (the server doesn't have a resource type .*)/.exec(text);
  if (refused) return refused[1]!;
  const gets = [
    ...text.matchAll(/127\.0\.0\.1:\d+\/(?:api|apis\/([^/\s"?]+))\/([^/\s"?]+)\/([a-z]+)\?/g),
  ];
  const [, group, version, plural] = gets.at(-1) ?? assert.fail(`${name}: ${text}`);
  return [plural, version, group].filter(Boolean).join(".");
}

suite.test("a resource defined after a miss is found by every name, in both versions", async (plane) => {
  using client = createClient(plane.config);
  const discovery = discoveryClient(client, { minRefreshMs: 50 });
  const names = { plural: "lamps", kind: "Lamp", singular: "lamp", shortNames: ["lmp"] };
  await assert.rejects(discovery.resourceFor("lamps"), NoMatchError);
  await define(client, names);
  const lamps = await untilFound(() => discovery.resourceFor("lmp"));
  assert.equal(lamps.id, "lamps.v1.discovery.example.org");
  const mappings = await discovery.mappingsForKind({ kind: "Lamp" });
  assert.deepEqual(
    mappings.map(({ resource, preferred }) => [resource.version, preferred]),
    [["v1", true], ["v1beta1", false]],
  );
  await client.create(lamps, { metadata: { name: "a", namespace: "default" } });
  const dynamic = await dynamicClient(client, { discovery }).resourceFor(
    "lamp.v1beta1.discovery.example.org",
  );
  const { items } = await dynamic.list();
  assert.deepEqual(items.map(({ apiVersion, kind }) => [apiVersion, kind]), [
    ["discovery.example.org/v1beta1", "Lamp"],
  ]);
});

suite.test(
  "an aggregated API that is down is reported, and hides no other resource",
  async (plane) => {
    using client = createClient(plane.config);
    const service = { name: "nobody", namespace: "default", port: 443 };
    await restClient(client).post().groupVersion("apiregistration.k8s.io/v1").resource(
      "apiservices",
    )
      .body({
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: "v1.down.example.org" },
        spec: {
          group: "down.example.org",
          version: "v1",
          service,
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100,
        },
      }).do();
    for (const legacy of [false, true]) {
      const discovery = discoveryClient(client, { legacy, minRefreshMs: 50 });
      let down: string[] = [];
      await until(async () => {
        discovery.invalidate();
        const { failures } = await discovery.resources();
        down = failures.map(({ apiVersion }) => apiVersion);
        return down.length > 0;
      }, "that the API that is down is reported");
      assert.deepEqual(down, ["down.example.org/v1"]);
      assert.equal((await discovery.resourceFor("po")).id, "pods.v1");
      await assert.rejects(
        discovery.resourceFor("unknowns"),
        /doesn't have a resource type "unknowns".*could not be discovered: down\.example\.org\/v1/,
      );
    }
    await restClient(client).delete().groupVersion("apiregistration.k8s.io/v1")
      .resource("apiservices").name("v1.down.example.org").do();
    await until(async () => {
      const { groups, failures } = await discoveryClient(client).resources();
      return failures.length === 0 && !groups.some(({ name }) => name === "down.example.org");
    }, "that it is forgotten");
  },
  { realOnly: "the embedded server passes nothing on to aggregated APIs" },
);

suite.test("version and OpenAPI v3: the schema of a kind, from the URL of the index", async (plane) => {
  using client = createClient(plane.config);
  const discovery = discoveryClient(client);
  const { major, minor, gitVersion } = await discovery.serverVersion();
  assert.ok(gitVersion.startsWith(`v${major}.${minor}.`));
  const paths = await discovery.openApi.paths();
  assert.ok(paths.has("api/v1") && paths.has("apis/apps/v1"));
  const kind = { group: "apps", version: "v1", kind: "Deployment" };
  const schema = await discovery.openApi.schema(kind);
  assert.equal(schema?.["type"], "object");
  assert.equal(
    await discovery.openApi.document("apps/v1"),
    await discovery.openApi.document("apps/v1"),
  );
});

suite.test("wrapped clients work on a server as documented", async (plane) => {
  using client = createClient(plane.config);
  await client.create(Namespace, { metadata: { name: "wrapped" } });
  const scoped = withFieldOwner(inNamespace(client, "wrapped"), "the-owner");
  await dryRunOnly(scoped).create(ConfigMap, { metadata: { name: "a" } });
  await assert.rejects(scoped.get(ConfigMap, "a"), isNotFound);
  const made = await scoped.create(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
  assert.equal(made.metadata.namespace, "wrapped");
  const managers = made.metadata.managedFields as { manager: string }[];
  assert.deepEqual(managers.map(({ manager }) => manager), ["the-owner"]);
  const dry = dryRunOnly(scoped);
  const one = restClient(dry).namespace("wrapped").resource(ConfigMap).name("a");
  await dry.delete(ConfigMap, "a");
  await dry.deleteCollection(ConfigMap);
  await one.delete().do();
  await one.delete().body({ gracePeriodSeconds: 0 }).do();
  await restClient(dry).delete().namespace("wrapped").resource(ConfigMap).body({}).do();
  assert.equal((await scoped.get(ConfigMap, "a")).metadata.uid, made.metadata.uid);
  await scoped.delete(ConfigMap, "a");
  await assert.rejects(scoped.get(ConfigMap, "a"), isNotFound);
});
