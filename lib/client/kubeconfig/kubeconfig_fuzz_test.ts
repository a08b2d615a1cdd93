import assert from "node:assert/strict";
import { FakeHost, simpleKubeconfig } from "../../../tests/kubeconfig/fake_host.ts";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { ConfigError } from "../config/config.ts";
import { loadConfig } from "./load_config.ts";

const CANARY = "c4n4ry";
const ROUNDS = 1_500;
const ca = await CertificateAuthority.create("test", new Date());
const alice = await ca.client("alice", []);

const JSON_FORM: string = simpleKubeconfig({
  cluster: { "certificate-authority-data": btoa(ca.cert) },
  user: {
    token: CANARY,
    "client-certificate-data": btoa(alice.cert),
    "client-key-data": btoa(alice.key),
    "as-user-extra": { k: ["v"] },
    as: "me",
  },
});
const YAML_FORM = `apiVersion: v1
kind: Config
current-context: x
contexts:
- name: x
  context: {cluster: c, user: u, namespace: n}
clusters:
- name: c
  cluster: &c
    server: https://c.example:6443
    tls-server-name: 'quoted'
users:
- name: u
  user:
    token: >-
      ${CANARY}
    as: "me"
    as-groups: [a, *c]
`.replace(", *c", "");
const SNIPPETS = [
  "&a ",
  "*a",
  "!!str ",
  "!x ",
  "<<: ",
  "? ",
  "- ",
  ": ",
  "{",
  "}",
  "[",
  "]",
  "|\n",
  ">-\n",
  '"',
  "'",
  "\n",
  "\t",
  "---\n",
  "...\n",
  "%YAML 1.2\n",
  "null",
  "~",
  "1e999",
  "0x7fffffffffffffffffff",
  "__proto__: ",
  "\u0000",
  "\u2028",
  "\ud83d\ude00",
  "#",
];

/** The text of a valid kubeconfig up to the value of the extension for credential plugins. */
const EXTENDED = "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\n" +
  "clusters: [{name: c, cluster: {server: https://c, extensions: " +
  "[{name: client.authentication.k8s.io/exec, extension:";

/**
 * Loads a kubeconfig text, and fails unless the result is a configuration or a ConfigError of one
 * line without secrets.
 */
async function attempt(bytes: Uint8Array, hint: string): Promise<"loaded" | "refused"> {
  const host = new FakeHost({ env: { KUBECONFIG: "/k" }, files: { "/k": bytes } });
  try {
    const config = await loadConfig({}, host);
    assert.match(config.server, /^https?:\/\//, hint);
    assert.ok(!Deno.inspect(config, { depth: 9 }).includes(CANARY), hint);
    return "loaded";
  } catch (error) {
    assert.ok(error instanceof ConfigError, `${hint}: ${error instanceof Error && error.stack}`);
    assert.doesNotMatch(error.message, /[\r\n]/, hint);
    assert.ok(!Deno.inspect(error).includes(CANARY), `${hint}: ${error.message}`);
    return "refused";
  }
}

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low));
}

/**
 * Returns a kubeconfig text with a few small errors, as an editor, a template or an incomplete copy
 * makes them.
 */
function mutated(random: Random, text: string): string {
  let result = text;
  for (let count = between(random, 1, 4); count > 0; count--) {
    const at = between(random, 0, result.length);
    const kind = between(random, 0, 4);
    const snippet = SNIPPETS[between(random, 0, SNIPPETS.length)]!;
    const char = String.fromCharCode(between(random, 0, 256));
    if (kind === 0) result = result.slice(0, at) + snippet + result.slice(at);
    if (kind === 1) result = result.slice(0, at) + char + result.slice(at + 1);
    if (kind === 2) result = result.slice(0, at) + result.slice(at + between(random, 1, 4));
    if (kind === 3) result = result.slice(0, at);
  }
  return result;
}

Deno.test("damaged kubeconfigs are loaded, or refused with a ConfigError without secrets", async () => {
  const { seed, random } = printedRandom();
  const seen = { loaded: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const text = mutated(random, round % 2 === 0 ? JSON_FORM : YAML_FORM);
    seen[await attempt(new TextEncoder().encode(text), `seed=${seed} round=${round}`)]++;
  }
  assert.ok(seen.loaded > 0 && seen.refused > 0, JSON.stringify(seen));
});

Deno.test("random bytes are refused with a ConfigError", async () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < ROUNDS; round++) {
    const length = between(random, 0, 200);
    const ascii = round % 2 === 0;
    const bytes = Uint8Array.from(
      { length },
      () => between(random, ascii ? 9 : 0, ascii ? 127 : 256),
    );
    assert.equal(await attempt(bytes, `seed=${seed} round=${round}`), "refused");
  }
});

Deno.test("YAML bombs are refused with a ConfigError in bounded time", async () => {
  const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 30; level++) {
    laughs.push(`a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`).join(", ")}]`);
  }
  const merges = ["m0: &m0 {k0: 1}"];
  for (let level = 1; level < 900; level++) {
    merges.push(`m${level}: &m${level} {<<: *m${level - 1}, k${level}: 1}`);
  }
  const bombs: string[] = [
    laughs.join("\n"),
    `${laughs.join("\n")}\ncontexts: *a29`,
    `${laughs.join("\n")}\n${EXTENDED} *a29}]}}]`,
    `${EXTENDED} &e {a: *e}}]}}]`,
    `list: &l [${Array(10_000).fill("x").join(", ")}]\nusers:\n` +
    Array.from({ length: 900 }, (_, at) => `- {name: u${at}, user: {exec: {args: *l}}}`).join("\n"),
    `contexts: &c [*c]`,
    `users: &u {<<: *u}`,
    `clusters: [&c {name: c, cluster: *c}]\ncurrent-context: x`,
    merges.join("\n"),
    "[".repeat(100_000),
    "{a: ".repeat(100_000),
    "- ".repeat(100_000),
    "a:\n".repeat(100_000),
    "? ".repeat(100_000),
    `a: "${"\\".repeat(100_001)}`,
    `a: ${"- ".repeat(50)}\n`.repeat(1_000),
    "&a ".repeat(100_000),
    "!".repeat(100_000),
    `a: |\n${" \n".repeat(100_000)}`,
    `clusters: [{name: c, cluster: {server: https://${"a".repeat(1_000_000)}}}]\n` +
    "contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x",
    simpleKubeconfig({
      cluster: {
        "certificate-authority-data": btoa("-----BEGIN CERTIFICATE-----\n".repeat(50_000)),
      },
    }),
    simpleKubeconfig({ user: { token: "a".repeat(1_000_000) + "\n" } }),
  ];
  for (const [index, bomb] of bombs.entries()) {
    assert.equal(
      await attempt(new TextEncoder().encode(bomb), `bomb ${index}`),
      "refused",
      `bomb ${index}`,
    );
  }
});
