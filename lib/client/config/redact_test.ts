import assert from "node:assert/strict";
import { inspect } from "node:util";
import { hostWith, simpleKubeconfig } from "../../../tests/kubeconfig/fake_host.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import type { ClientConfig } from "./config.ts";
import { createClient } from "../create_client.ts";
import { createCredentials } from "../credentials/create_credentials.ts";
import { loadConfig } from "../kubeconfig/load_config.ts";
import { inNamespace } from "../scoped/scoped_namespace.ts";
import { hideSecrets } from "./redact.ts";

const CANARY = "c4n4ry";

/** Returns a value as text, in every way in which it may be printed by accident. */
function printed(value: object): string {
  return [
    Deno.inspect(value, { depth: 9, showHidden: true }),
    Deno.inspect({ nested: [value] }, { depth: 9 }),
    inspect(value, { depth: 9, showHidden: true }),
    inspect({ nested: [value] }, { depth: 9 }),
    JSON.stringify(value),
    JSON.stringify({ ...value }),
    Deno.inspect({ ...value }, { depth: 9 }),
    `${value}`,
  ].join("\n");
}

Deno.test("a configuration is printed without token, password, key and proxy password", () => {
  const config: ClientConfig = {
    server: "https://c",
    tls: { keyData: CANARY, certData: "public" },
    credentials: { token: CANARY, password: CANARY, username: "me" },
  };
  const text = printed(hideSecrets(config));
  assert.ok(!text.includes(CANARY), text);
  for (const shown of ["https://c", "public", "me", "REDACTED"]) assert.ok(text.includes(shown));
  const proxied = hideSecrets({ server: "https://c", proxyUrl: `http://u:${CANARY}@p:1` });
  assert.ok(!Deno.inspect(proxied).includes(CANARY));
  assert.ok(!JSON.stringify(proxied).includes(CANARY));
});

Deno.test("hiding secrets does not change how fields are read and compared", () => {
  const config: ClientConfig = { server: "https://c", credentials: { token: CANARY } };
  const hidden = hideSecrets(config);
  assert.equal(hidden.credentials?.token, CANARY);
  assert.deepEqual(Object.keys(hidden.credentials ?? {}), ["token"]);
  assert.deepEqual(structuredClone({ ...hidden.credentials }), config.credentials);
});

Deno.test("the configuration of a client limited to a namespace hides its secrets", () => {
  const config: ClientConfig = {
    server: "https://c",
    proxyUrl: `http://u:${CANARY}@p:1`,
    credentials: { token: CANARY },
  };
  const fetch = (): Promise<Response> => Promise.resolve(new Response());
  using client = createClient(hideSecrets(config), { fetch });
  const limited = inNamespace(client, "team").config;
  assert.deepEqual({ ...limited, credentials: { ...limited.credentials } }, {
    ...config,
    namespace: "team",
  });
  for (const text of [Deno.inspect(limited), inspect(limited), JSON.stringify(limited)]) {
    assert.ok(!text.includes(CANARY), text);
  }
});

Deno.test("the result of loadConfig() hides its secrets, and so do credentials created from it", async () => {
  const ca = await CertificateAuthority.create("test", new Date());
  const pair = await ca.client("alice", []);
  const user = {
    token: CANARY,
    "client-certificate-data": btoa(pair.cert),
    "client-key-data": btoa(pair.key),
  };
  const config = await loadConfig({}, hostWith(simpleKubeconfig({ user })));
  const keyLine = pair.key.split("\n")[1]!;
  for (const value of [config, createCredentials(config)]) {
    const text = printed(value);
    assert.ok(!text.includes(CANARY));
    assert.ok(!text.includes(keyLine));
  }
});
