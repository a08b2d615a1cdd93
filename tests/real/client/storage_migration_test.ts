/**
 * The way of stored objects to another version, by the command line: each step of the plan is taken on
 * a server, and the objects are read after the old version is gone.
 */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { runCli } from "../../../cli/app.ts";
import {
  CustomResourceDefinition,
  type KubeObject,
  type ResourceType,
} from "../../../lib/apimachinery/meta/mod.ts";
import { applyPatch, type Client, createClient } from "../../../lib/client/mod.ts";
import { testContext } from "../../support/command_line/cli_context.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
const NAME = "vaults.storage.example.com";
const GROUP = "/apis/storage.example.com";
/**
 * An integer that JavaScript cannot hold, which a migration must not round; the embedded server holds
 * none itself.
 */
const largest = ({ embedded }: Plane): string => embedded ? "9007199254740991" : "9007199254740993";
const OBJECTS = 25;

function definition(versions: readonly string[], storage: string): Record<string, unknown> {
  const spec = {
    type: "object",
    properties: { serial: { type: "integer", format: "int64" }, note: { type: "string" } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: NAME },
    spec: {
      group: "storage.example.com",
      names: { kind: "Vault", plural: "vaults" },
      scope: "Namespaced",
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      })),
    },
  };
}

const OLD = definition(["v1alpha1"], "v1alpha1");
const NOW = definition(["v1beta1"], "v1beta1");

async function cli(
  plane: Plane,
  line: string,
): Promise<{ code: number; out: string; err: string }> {
  const context = testContext({
    env: { KUBECONFIG: plane.kubeconfigPath },
    files: { "new.yaml": JSON.stringify(NOW) },
  });
  const code = await runCli(line.split(" "), context);
  return { code, out: context.stdout(), err: context.stderr() };
}

async function apply(client: Client, crd: Record<string, unknown>): Promise<void> {
  const patch = applyPatch(crd as unknown as KubeObject, { fieldManager: "test", force: true });
  await client.patch<KubeObject>(CustomResourceDefinition as ResourceType, NAME, patch);
}

/** Returns the states of the steps that the plan of the cluster's definition has. */
async function states(plane: Plane): Promise<string[]> {
  const { out, err } = await cli(plane, `crd plan ${NAME} new.yaml --format json`);
  assert.equal(err, "");
  const [{ steps }] = JSON.parse(out);
  return steps.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
}

/** Installs the definition of a step, as kubectl apply would. */
async function take(plane: Plane, client: Client, step: string): Promise<void> {
  const { code, out, err } = await cli(plane, `crd plan ${NAME} new.yaml --print ${step}`);
  assert.equal(code, 0, err);
  await apply(client, load(out.replace(/^---\n/, "")) as Record<string, unknown>);
}

/** Calls until the answer is not `undefined`, and returns it. */
async function untilFound<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await until(async () => (found = await find()) !== undefined, what);
  return found!;
}

interface Discovered {
  readonly resources?: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

/** Waits until the server serves a version; returns the hash of the storage version. */
async function served(plane: Plane, version: string, otherThan?: string): Promise<string> {
  return await untilFound(`${version} is served`, async () => {
    const response = await plane.fetch(`${GROUP}/${version}`);
    const text = await response.text();
    if (response.status !== 200) return undefined;
    const { resources = [] } = JSON.parse(text) as Discovered;
    const hash = resources.find(({ name }) => name === "vaults")?.storageVersionHash;
    return hash === otherThan ? undefined : hash;
  });
}

/** Returns the objects as the server writes them, one line each. */
async function objects(plane: Plane, version: string): Promise<Map<string, string>> {
  const text = await untilFound("the list of objects", async () => {
    const response = await plane.fetch(`${GROUP}/${version}/namespaces/default/vaults`);
    const body = await response.text();
    if (response.status === 429) return undefined; // The API server initializes the resource.
    assert.equal(response.status, 200, body);
    return body;
  });
  const found = new Map<string, string>();
  for (const { metadata } of JSON.parse(text).items as KubeObject[]) {
    found.set(metadata.name!, `${metadata.resourceVersion} ${metadata.generation}`);
  }
  assert.equal(
    text.split(`"serial":${largest(plane)}`).length - 1,
    found.size,
    "a number was rounded",
  );
  return found;
}

suite.test("objects move to another version by the steps of the plan, and lose nothing", async (plane) => {
  using client = createClient(plane.config);
  await apply(client, OLD);
  const before = await served(plane, "v1alpha1");
  for (let index = 0; index < OBJECTS; index++) {
    const body = `{"apiVersion":"storage.example.com/v1alpha1","kind":"Vault","metadata":{"name":` +
      `"vault-${index}"},"spec":{"serial":${largest(plane)},"note":"n${index}"}}`;
    const headers = { "content-type": "application/json" };
    const path = `${GROUP}/v1alpha1/namespaces/default/vaults`;
    await untilFound(`vault-${index} is created`, async () => {
      const response = await plane.fetch(path, { method: "POST", body, headers });
      const text = await response.text();
      if (response.status === 429) return undefined;
      assert.equal(response.status, 201, text);
      return text;
    });
  }
  const first = await objects(plane, "v1alpha1");
  assert.equal(first.size, OBJECTS);
  assert.deepEqual((await states(plane)).slice(0, 2), ["serve next", "store later"]);
  assert.equal((await cli(plane, `crd diff ${NAME} new.yaml`)).code, 1);

  await take(plane, client, "serve");
  await served(plane, "v1beta1");
  assert.deepEqual((await states(plane)).slice(0, 2), ["serve done", "store next"]);

  await take(plane, client, "store");
  await served(plane, "v1beta1", before);
  assert.deepEqual((await states(plane)).slice(1, 3), ["store done", "migrate next"]);

  const dry = await cli(plane, `crd migrate ${NAME} --dry-run`);
  assert.equal(dry.out, `${NAME}: ${OBJECTS} objects could be written as v1beta1 (dry run)\n`);
  assert.deepEqual(await objects(plane, "v1beta1"), first);

  const { code, out, err } = await cli(plane, `crd migrate ${NAME}`);
  assert.equal(code, 0, err);
  assert.equal(
    out,
    `${NAME}: ${OBJECTS} objects written, all stored as v1beta1 now; removed v1alpha1 from ` +
      "status.storedVersions\n",
  );
  const second = await objects(plane, "v1beta1");
  for (const [name, versions] of second) {
    const [newVersion, newGeneration] = versions.split(" ");
    const [oldVersion, oldGeneration] = first.get(name)!.split(" ");
    assert.notEqual(newVersion, oldVersion, `${name} was not written`);
    assert.equal(newGeneration, oldGeneration);
  }
  assert.deepEqual((await states(plane)).slice(2), [
    "migrate done",
    "prune done",
    "unserve next",
    "remove later",
  ]);
  const again = await cli(plane, `crd migrate ${NAME}`);
  assert.equal(again.out, `${NAME}: every object is stored as v1beta1 already\n`);

  await take(plane, client, "unserve");
  assert.deepEqual((await states(plane)).slice(4), ["unserve done", "remove next"]);
  await take(plane, client, "remove");
  const { out: end } = await cli(plane, `crd plan ${NAME} new.yaml`);
  assert.match(end, /objects are stored as v1beta1; the new definition can be installed/);
  await plane.restartApiserver();
  await served(plane, "v1beta1");
  assert.deepEqual(await objects(plane, "v1beta1"), second);
  await client.delete(CustomResourceDefinition, NAME);
});

suite.test("a migration leaves storedVersions when the server refuses an object", async (plane) => {
  using client = createClient(plane.config);
  const name = "rooms.storage.example.com";
  const crd = (storage: string, rules: readonly { rule: string }[]): KubeObject => {
    const spec = { type: "object", properties: { a: { type: "string" } } };
    const openAPIV3Schema = {
      type: "object",
      properties: { spec },
      ...(rules.length > 0 && { "x-kubernetes-validations": rules }),
    };
    const versions = ["v1alpha1", "v1beta1"].map((version) => ({
      name: version,
      served: true,
      storage: version === storage,
      schema: { openAPIV3Schema },
    }));
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name },
      spec: {
        group: "storage.example.com",
        names: { kind: "Room", plural: "rooms" },
        scope: "Cluster",
        versions,
      },
    } as KubeObject;
  };
  const install = (object: KubeObject): Promise<unknown> => {
    const patch = applyPatch<KubeObject>(object, { fieldManager: "test", force: true });
    return client.patch<KubeObject>(CustomResourceDefinition as ResourceType, name, patch);
  };
  await install(crd("v1alpha1", []));
  const path = `${GROUP}/v1beta1/rooms`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({
    apiVersion: "storage.example.com/v1beta1",
    kind: "Room",
    metadata: { name: "r" },
    spec: {},
  });
  await untilFound("rooms are served", async () => {
    const response = await plane.fetch(path, { method: "POST", body, headers });
    await response.body?.cancel();
    return response.status === 201 || response.status === 409 || undefined;
  });
  // Ratcheting does not soften a rule about the object itself: its metadata changes with each write.
  await install(crd("v1beta1", [{ rule: "has(self.spec) && has(self.spec.a)" }]));
  const outcome = await untilFound("the rule is in force", async () => {
    const result = await cli(plane, `crd migrate ${name} --dry-run`);
    return result.code === 1 ? result : undefined;
  });
  assert.match(
    outcome.err,
    /^r was refused: .*failed rule: has\(self.spec\) && has\(self.spec.a\)/,
  );
  assert.match(
    outcome.err,
    /1 of 1 objects of rooms.storage.example.com are not stored as v1beta1/,
  );
  const { code } = await cli(plane, `crd migrate ${name}`);
  assert.equal(code, 1);
  const { status } = await client.get(CustomResourceDefinition, name) as unknown as {
    status: { storedVersions: string[] };
  };
  assert.deepEqual(status.storedVersions, ["v1alpha1", "v1beta1"]);
  await client.delete(CustomResourceDefinition, name);
});
