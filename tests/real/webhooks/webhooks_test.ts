/** Webhooks that an API server calls over TLS: defaults, warnings, refusals, rules and conversions. */
import assert from "node:assert/strict";
import {
  ApiError,
  type Client,
  createClient,
  getScale,
  updateScale,
} from "../../../lib/client/mod.ts";
import type { V1Deployment } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ConfigMap, Deployment, type KubeObject, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";
import { type Desktop, DesktopV1, DesktopV2, install, seen, serveDesktops } from "./webhook_kit.ts";

const suite = planeSuite();

function desktop(name: string, spec: Partial<Desktop["spec"]> = {}, labels = {}): Desktop {
  return { metadata: { name, namespace: "desks", labels }, spec: { image: "x:1", ...spec } };
}

/** Returns code and message of the refusal of a request. */
async function refusalOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "allowed";
  } catch (error) {
    assert(error instanceof ApiError, String(error));
    return `${error.code} ${error.message}`;
  }
}

/** Waits until the API server calls the webhooks and applies the policy, which it learns by a watch. */
async function untilActive(client: Client): Promise<void> {
  const probe = (): Promise<KubeObject> =>
    client.create(DesktopV1, desktop("probe"), { dryRun: true });
  await until(() => probe().then((found) => found.metadata.annotations !== undefined, () => false));
  await until(async () =>
    (await refusalOf(client.create(DesktopV1, desktop("probe", { image: "" }), { dryRun: true })))
      .startsWith("422")
  );
  await until(async () =>
    (await refusalOf(client.create(Deployment, deployment(4), { dryRun: true }))).startsWith("422")
  );
}

function deployment(replicas: number): V1Deployment {
  const labels = { app: "a" };
  return {
    metadata: { name: "a", namespace: "desks" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "x" }] } },
    },
  };
}

suite.test("webhooks: an API server calls defaulter, validator and converter over TLS, and evaluates the rules", async (plane) => {
  const warnings: string[] = [];
  using client = createClient(plane.config, { onWarning: (text) => warnings.push(text) });
  await using served = await serveDesktops();
  await install(client, served);
  await untilActive(client);

  // Defaults, the user, warnings and dry runs.
  assert(seen.length > 0 && seen.every(({ dryRun }) => dryRun));
  const made = await client.create(DesktopV1, desktop("a", { image: "x:latest" }));
  assert.equal(made.spec.replicas, 1);
  assert.equal(made.metadata.annotations?.["desks.example.com/by"], seen.at(-1)?.user);
  assert.equal(seen.at(-1)?.dryRun, false);
  assert.deepEqual(warnings.filter((text) => text.includes("image may change")).length, 1);

  // Refusals of each operation.
  const invalid = await refusalOf(client.create(DesktopV1, desktop("b", { image: "" })));
  assert.match(
    invalid,
    /^422 admission webhook "validate\.desktops\.v1\.desks\.example\.com" denied the request: Desktop\.desks\.example\.com "b" is invalid: spec\.image: Required value$/,
  );
  assert.match(
    await refusalOf(client.update(DesktopV1, { ...made, spec: { ...made.spec, image: "y" } })),
    /^422 .*spec\.image: Forbidden: it must not change$/,
  );
  await client.create(DesktopV1, desktop("kept", {}, { keep: "true" }));
  assert.match(
    await refusalOf(client.delete(DesktopV1, "desks/kept")),
    /^403 .*denied the request: it is in use$/,
  );
  await client.delete(DesktopV1, "desks/a");
  assert.match(
    await refusalOf(client.create(DesktopV1, desktop("c", { image: "broken" }))),
    /^500 .*the validator of Desktop failed: the handler is broken$/,
  );

  // The rule of the definition, and those of a policy, without a server.
  assert.match(
    await refusalOf(client.create(DesktopV1, desktop("d", { replicas: 11 }))),
    /^422 .*spec\.replicas: Invalid value: .*at most ten replicas are allowed/,
  );
  assert.match(
    await refusalOf(client.create(Deployment, deployment(4))),
    /^422 .*denied request: at most three replicas are allowed$/,
  );
  const grown = await client.create(Deployment, deployment(2));
  assert.match(
    await refusalOf(client.update(Deployment, { ...grown, spec: { ...grown.spec!, replicas: 1 } })),
    /^422 .*denied request: it only grows$/,
  );

  // A rule that compares with an object of the cluster: refused without one.
  const limited = (name: string, data: Record<string, string>): Promise<string> =>
    refusalOf(
      client.create(ConfigMap, {
        metadata: { name, namespace: "desks", labels: { limited: "yes" } },
        data,
      }, { dryRun: true }),
    );
  await until(async () => (await limited("a", {})).includes("no params found"));
  const limits = { metadata: { name: "limits", namespace: "desks" }, data: { keys: "1" } };
  await client.create(ConfigMap, limits);
  await until(async () => (await limited("a", { a: "", b: "" })).includes("at most 1"));
  await client.create(ConfigMap, {
    metadata: { name: "a", namespace: "desks", labels: { limited: "yes" } },
    data: { a: "" },
  });

  // Subresources: the scale of a deployment, and a connection to a pod.
  const scale = await getScale(client, Deployment, "desks/a");
  assert.match(
    await refusalOf(
      updateScale(client, Deployment, { ...scale, spec: { replicas: 5 } }),
    ),
    /^403 .*"validate\.scale\.deployments\.v1\.apps" denied the request: from 2 to five$/,
  );
  // The embedded server does not ask webhooks about connections.
  if (!plane.embedded) {
    await client.create(Pod, {
      metadata: { name: "a", namespace: "desks" },
      spec: { containers: [{ name: "a", image: "x" }], automountServiceAccountToken: false },
    });
    const path = "/api/v1/namespaces/desks/pods/a/exec";
    const exec = { method: "POST", path, query: { command: "ls", stdout: "true" } };
    assert.match(
      await refusalOf(client.requestJson(exec)),
      /denied the request: no PodExecOptions in desks\/a/,
    );
  }

  // Conversions: another version, with metadata kept, and back; the defaulter sees its own version.
  await client.create(DesktopV1, desktop("e", { size: 7 }, { team: "blue" }));
  const v2 = await client.get(DesktopV2, "desks/e");
  assert.deepEqual([v2.apiVersion, v2.spec.width, v2.spec.size], [
    DesktopV2.apiVersion,
    7,
    undefined,
  ]);
  assert.equal(v2.metadata.labels?.team, "blue");
  assert.equal(seen.at(-1)?.requestVersion, "v1");
  const updated = { ...v2, spec: { ...v2.spec, width: 8 } };
  await client.update(DesktopV2, updated);
  assert.equal(seen.at(-1)?.requestVersion, "v2");
  const v1 = await client.get(DesktopV1, "desks/e");
  assert.deepEqual([v1.spec.size, v1.metadata.uid], [8, v2.metadata.uid]);
  const bad = { ...desktop("f"), spec: { image: "x", width: 13 } };
  assert.match(
    await refusalOf(client.create(DesktopV2, bad)),
    /Cannot convert Desktop desks\/f to desks\.example\.com\/v1: thirteen is not a width/,
  );
});
