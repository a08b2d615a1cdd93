import assert from "node:assert/strict";
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { clientOf } from "../../testing/embedded_client.ts";
import { ApiServer } from "../../testing/mod.ts";
import type { Client } from "../../client/typed/client.ts";
import { injectCaBundle } from "./ca_bundle.ts";
import { encoded } from "./own_material.ts";

const NAME = "guard";

function webhook(name: string, clientConfig = {}): Record<string, unknown> {
  return {
    name,
    clientConfig: { url: "https://localhost/x", ...clientConfig },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
  };
}

async function authorities(): Promise<string[]> {
  const made = ["first", "second"].map((name) => CertificateAuthority.create(name, new Date()));
  return (await Promise.all(made)).map(({ cert }) => cert);
}

/** A client that changes an object just before its first patch, as another program would. */
function disturbed(client: Client, disturb: () => Promise<unknown>): Pick<Client, "get" | "patch"> {
  let isDisturbed = false;
  return {
    get: (type, key, options) => client.get(type, key, options),
    patch: async (type, key, patch, options) => {
      if (!isDisturbed) {
        isDisturbed = true;
        await disturb();
      }
      return await client.patch(type, key, patch, options);
    },
  };
}

Deno.test("caBundle: it is written into each webhook of a configuration, and nothing else is", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const [known, foreign] = await authorities() as [string, string];
  const target = { type: ValidatingWebhookConfiguration, name: NAME };
  const read = (): Promise<string> => Promise.resolve(known);
  assert.equal(await injectCaBundle(client, target, { known, read }), "absent");
  const made = await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: NAME, labels: { team: "blue" } },
    webhooks: [
      webhook("a.example.com"),
      webhook("b.example.com", { caBundle: encoded(foreign) }),
      webhook("c.example.com", { caBundle: encoded(known) }),
    ],
  } as never);
  assert.equal(await injectCaBundle(client, target, { known, read }), "written");
  const found = await client.get(ValidatingWebhookConfiguration, NAME);
  for (const { clientConfig } of found.webhooks!) {
    assert.deepEqual(clientConfig, { url: "https://localhost/x", caBundle: encoded(known) });
  }
  const rest = ({ metadata, webhooks }: typeof found): unknown => [
    metadata.labels,
    webhooks!.map(({ clientConfig: _, ...others }) => others),
  ];
  assert.deepEqual(rest(found), rest(made));
  const version = found.metadata.resourceVersion;
  assert.equal(await injectCaBundle(client, target, { known, read }), "kept");
  const { metadata } = await client.get(ValidatingWebhookConfiguration, NAME);
  assert.equal(metadata.resourceVersion, version);
});

Deno.test("caBundle: a change by another program at the same time is not lost", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const [known] = await authorities() as [string];
  await client.create(MutatingWebhookConfiguration, {
    metadata: { name: NAME },
    webhooks: [webhook("a.example.com"), webhook("b.example.com")],
  } as never);
  // The other program removes the first webhook: a patch by index alone would hit the wrong one.
  const other = disturbed(client, async () => {
    const found = await client.get(MutatingWebhookConfiguration, NAME);
    const webhooks = [{ ...found.webhooks![1]!, timeoutSeconds: 3 }];
    await client.update(MutatingWebhookConfiguration, { ...found, webhooks });
  });
  const target = { type: MutatingWebhookConfiguration, name: NAME };
  const read = (): Promise<string> => Promise.resolve(known);
  assert.equal(await injectCaBundle(other, target, { known, read }), "written");
  const { webhooks } = await client.get(MutatingWebhookConfiguration, NAME);
  assert.deepEqual(webhooks!.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]), [
    ["b.example.com", 3],
  ]);
  assert.equal(webhooks![0]!.clientConfig.caBundle, encoded(known));
});

Deno.test("caBundle: a replica that knows old authorities writes those of now, and none when they stand already", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const [old, fresh] = await authorities() as [string, string];
  const now = old + fresh;
  const target = { type: MutatingWebhookConfiguration, name: NAME };
  await client.create(MutatingWebhookConfiguration, {
    metadata: { name: NAME },
    webhooks: [webhook("a.example.com", { caBundle: encoded(now) })],
  } as never);
  const stale = { known: old, read: () => Promise.resolve(now) };
  const before = await client.get(MutatingWebhookConfiguration, NAME);
  await injectCaBundle(client, target, stale);
  assert.deepEqual(await client.get(MutatingWebhookConfiguration, NAME), before);
  await client.update(MutatingWebhookConfiguration, {
    ...before,
    webhooks: [webhook("a.example.com")],
  } as never);
  await injectCaBundle(client, target, stale);
  const { webhooks } = await client.get(MutatingWebhookConfiguration, NAME);
  assert.equal(webhooks![0]!.clientConfig.caBundle, encoded(now));
});

Deno.test("caBundle: the converter of a definition gets it, and a definition without one stays as it is", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const [known] = await authorities() as [string];
  const version = (name: string, storage: boolean): Record<string, unknown> => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: "object" } },
  });
  const crd = (plural: string, conversion: Record<string, unknown>): never =>
    ({
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural, singular: plural, kind: plural, listKind: `${plural}List` },
        versions: [version("v1", true), version("v2", false)],
        conversion,
      },
    }) as never;
  const clientConfig = { url: "https://localhost/convert" };
  const conversionReviewVersions = ["v1"];
  await client.create(
    CustomResourceDefinition,
    crd("converted", { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions } }),
  );
  await client.create(CustomResourceDefinition, crd("plain", { strategy: "None" }));
  const inject = (name: string): Promise<string> =>
    injectCaBundle(client, { type: CustomResourceDefinition, name: `${name}.example.com` }, {
      known,
      read: () => Promise.resolve(known),
    });
  assert.equal(await inject("converted"), "written");
  assert.equal(await inject("plain"), "kept");
  const { spec } = await client.get(CustomResourceDefinition, "converted.example.com");
  assert.deepEqual(spec.conversion?.webhook, {
    clientConfig: { ...clientConfig, caBundle: encoded(known) },
    conversionReviewVersions,
  });
});
