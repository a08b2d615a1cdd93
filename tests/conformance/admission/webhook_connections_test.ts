/**
 * Tests of webhook connections: accepted certificates, and the path of the URL. Go's
 * test environment (`envtest`) gives the serving certificate itself as `caBundle`, and `//path`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";
import { selfSigned } from "../../support/network/self_signed.ts";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";
import { type Shown, WebhookServer } from "./webhook_server.ts";

const conformance = conformanceSuite(import.meta.url);
const HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const denied = (): Record<string, unknown> => ({ allowed: false, status: { message: "reached" } });

/** Creates an object under a webhook of some URL; records the requested paths. */
async function create(
  t: Target,
  server: WebhookServer,
  urls: readonly string[],
  caBundle: string,
): Promise<void> {
  t.mask(/127\.0\.0\.1:\d{4,5}/g, "<webhook>");
  // Go names the certificate of the bundle that it tried last.
  t.mask(/ \(possibly because of .*?"\)/g, "");
  const name = t.unique("hooks");
  for (const url of urls) {
    const hook = (resource: string, more: object): object => ({
      name: `${resource}.test.dev`,
      rules: [{
        operations: ["CREATE"],
        apiGroups: [""],
        apiVersions: ["v1"],
        resources: [resource],
      }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": t.namespace } },
      ...more,
    });
    const webhooks = [
      hook("configmaps", { clientConfig: { url, caBundle: btoa(caBundle) } }),
      hook("limitranges", { clientConfig: { url: "https://127.0.0.1:1/x" } }),
    ];
    const made = await t.post(HOOKS, { metadata: { name }, webhooks }, { unrecorded: true });
    assert.equal(made.code, 201, JSON.stringify(made.body));
    try {
      await waitForProbe(t, true);
      server.asked.length = 0;
      await t.post(t.path("configmaps"), { metadata: { name: "a" } });
      const paths = server.asked.map(({ path }) => `/${path}`);
      t.exchanges.push({ request: `WEBHOOK ${url}`, code: 200, body: paths });
    } finally {
      await t.delete(`${HOOKS}/${name}`, undefined, { unrecorded: true });
    }
    await waitForProbe(t, false);
  }
}

/** Waits until a webhook that cannot be reached is in force, or is not any more. */
async function waitForProbe(t: Target, inForce: boolean): Promise<void> {
  await until(async () => {
    const probe = { metadata: { name: "probe" }, spec: { limits: [] } };
    const { code } = await t.post(t.path("limitranges?dryRun=All"), probe, { unrecorded: true });
    return (code !== 201) === inForce;
  }, `that the webhook is ${inForce ? "in force" : "gone"}`);
}

/** Adds a case: a server that shows something, a bundle that trusts something. */
function certificate(name: string, show: () => Promise<Shown>): void {
  conformance(name, async (t) => {
    const shown = await show();
    await using server = await WebhookServer.start({ x: denied }, shown);
    await create(t, server, [server.url("x")], shown.bundle);
  });
}

const authority = (): Promise<CertificateAuthority> =>
  CertificateAuthority.create("webhook-ca", new Date());

certificate("a bundle that is the serving certificate itself", async () => {
  const pair = await (await authority()).serving("webhook", [], ["127.0.0.1"]);
  return { pair, bundle: pair.cert };
});
certificate("a bundle that is a certificate that signed itself", async () => {
  const pair = await selfSigned(new Date());
  return { pair, bundle: pair.cert };
});
certificate("a bundle with the serving certificate among others", async () => {
  const pair = await (await authority()).serving("webhook", [], ["127.0.0.1"]);
  return { pair, bundle: `${(await authority()).cert}\n${pair.cert}` };
});
certificate("a bundle with another authority beside the right one", async () => {
  const right = await authority();
  const pair = await right.serving("webhook", [], ["127.0.0.1"]);
  const other = await (await authority()).serving("webhook", [], ["127.0.0.1"]);
  return { pair, bundle: `${other.cert}\n${right.cert}` };
});
certificate("a bundle that is another serving certificate of the same authority", async () => {
  const signer = await authority();
  const pair = await signer.serving("webhook", [], ["127.0.0.1"]);
  return { pair, bundle: (await signer.serving("webhook", [], ["127.0.0.1"])).cert };
});
certificate("a bundle that is a certificate of the same name that signed itself", async () => {
  const pair = await selfSigned(new Date());
  return { pair, bundle: (await selfSigned(new Date())).cert };
});

for (const isOwn of [true, false]) {
  const bundle = isOwn ? "itself" : "its authority";
  const named = (what: string, names: string[], ips: string[]): void =>
    certificate(`a certificate for ${what}, by a bundle that is ${bundle}`, async () => {
      const signer = await authority();
      const pair = await signer.serving("webhook", names, ips);
      return { pair, bundle: isOwn ? pair.cert : signer.cert };
    });
  named("another address", [], ["127.0.0.2", "127.0.0.3"]);
  named("names alone", ["localhost", "other.example"], []);
}

conformance("the path of a webhook's URL is cleaned", async (t) => {
  const paths = ["", "x", "b", "x/y", "a%20b"];
  await using server = await WebhookServer.start(
    Object.fromEntries(paths.map((path) => [path, denied])),
  );
  const { caBundle } = server.client("x") as { caBundle: string };
  const base = server.url("").replace(/\/$/, "");
  const urls = ["", "/", "//x", "/a/../b/", "/./x//y/", "/../x", "/x%2Fy", "/a%20b", "/%62"];
  await create(t, server, urls.map((path) => base + path), atob(caBundle));
});
