import assert from "node:assert/strict";
import {
  configErrorOf,
  FakeHost,
  hostWith,
  simpleKubeconfig,
} from "../../../tests/kubeconfig/fake_host.ts";
import type { Host } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { loadConfig } from "./load_config.ts";

const CANARY = "c4n4ry-s3cret";
const V1 = "client.authentication.k8s.io/v1";
const V1BETA1 = "client.authentication.k8s.io/v1beta1";
const PLUGIN = { apiVersion: V1, command: "aws", interactiveMode: "Never" };

type Fields = Record<string, unknown>;

function load(
  user: Fields,
  overrides: ConfigOverrides = {},
  cluster: Fields = {},
): Promise<ClientConfig> {
  return loadConfig(overrides, hostWith(simpleKubeconfig({ user, cluster })));
}

async function refusal(user: Fields, overrides: ConfigOverrides = {}): Promise<string> {
  const message = await configErrorOf(load(user, overrides));
  assert.ok(!message.includes(CANARY), "a message never shows a secret");
  return message;
}

Deno.test("exec: the configuration has all fields of the kubeconfig", async () => {
  const exec = {
    ...PLUGIN,
    args: ["eks", "get-token"],
    env: [{ name: "AWS_PROFILE", value: "p" }],
    installHint: "brew install aws",
    provideClusterInfo: true,
  };
  const extensions = [{
    name: "client.authentication.k8s.io/exec",
    extension: { a: [1, { b: true }] },
  }];
  const config = await load({ exec }, {}, { extensions });
  assert.deepEqual(JSON.parse(JSON.stringify({ ...config.credentials!.exec })), {
    ...exec,
    clusterConfig: { a: [1, { b: true }] },
    place: "users[name=u].user.exec in /home/me/.kube/config",
  });
});

Deno.test("I14 errors for a missing command, an unknown version or mode, and a variable without a name have field and remedy", async () => {
  const wrong: [Fields, RegExp][] = [
    [{ command: "" }, /users\[name=u\].user.exec in .*: it has no command; name the program/],
    [{ apiVersion: "" }, /exec.apiVersion in .*: it is not set; write client.authentication/],
    [
      { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      /exec.apiVersion in .*v1alpha1" is not a version that kubectl supports; write/,
    ],
    [{ interactiveMode: undefined }, /interactiveMode in .*: it is not set, as client.*\/v1 needs/],
    [{ interactiveMode: "Maybe" }, /interactiveMode in .*"Maybe" is not a mode; write Never, If/],
    [{ env: [{ value: CANARY }] }, /exec.env\[0\].name in .*: the variable has no name/],
  ];
  for (const [fields, reason] of wrong) {
    assert.match(await refusal({ exec: { ...PLUGIN, ...fields } }), reason);
  }
});

Deno.test("exec of v1beta1 defaults interactiveMode to IfAvailable", async () => {
  const config = await load({ exec: { apiVersion: V1BETA1, command: "aws" } });
  assert.equal(config.credentials?.exec?.interactiveMode, "IfAvailable");
});

Deno.test("the command of exec is relative to the kubeconfig's folder when it has a slash, and a name otherwise", async () => {
  const cases = [
    ["aws", "aws"],
    ["./aws", "/home/me/.kube/aws"],
    ["../bin/aws", "/home/me/bin/aws"],
    ["/opt/aws", "/opt/aws"],
  ] as const;
  for (const [command, expected] of cases) {
    const config = await load({ exec: { ...PLUGIN, command } });
    assert.equal(config.credentials?.exec?.command, expected);
  }
  const host = new FakeHost({
    files: { "config": simpleKubeconfig({ user: { exec: { ...PLUGIN, command: "./aws" } } }) },
  });
  const config = await loadConfig({ kubeconfig: "config" }, host);
  assert.equal(config.credentials?.exec?.command, "./aws", "never a name that PATH is asked for");
});

Deno.test("a token, a password or a client certificate takes precedence over exec, as in kubectl", async () => {
  const ca = await CertificateAuthority.create("test", new Date());
  const alice = await ca.client("alice", []);
  const pair = { "client-certificate-data": btoa(alice.cert), "client-key-data": btoa(alice.key) };
  for (const proof of [{ token: "t" }, { username: "me", password: "p" }, pair]) {
    const config = await load({ exec: PLUGIN, ...proof });
    assert.equal(config.credentials?.exec, undefined);
  }
  const overridden = await load({ exec: PLUGIN }, { token: "t" });
  assert.deepEqual({ ...overridden.credentials }, { token: "t" });
});

Deno.test("exec together with auth-provider is refused", async () => {
  const user = { exec: PLUGIN, "auth-provider": { name: "oidc" } };
  assert.match(await refusal(user), /user.exec in .*: .*auth-provider in .* is set too; keep one/);
});

Deno.test("I16 the configuration has auth-provider with its settings; without a name it is refused", async () => {
  const user = { "auth-provider": { name: "oidc", config: { "id-token": CANARY } } };
  const config = await load(user);
  const { authProvider } = config.credentials!;
  assert.equal(authProvider?.name, "oidc");
  assert.equal(authProvider?.config["id-token"], CANARY);
  assert.ok(!Deno.inspect(config, { depth: 9 }).includes(CANARY));
  assert.match(
    await refusal({ "auth-provider": { config: { "id-token": CANARY } } }),
    /auth-provider in .*: it has no name/,
  );
});

Deno.test("I14 policies DenyAll and Allowlist name the plugin that they refuse, and the list", async () => {
  const deny = { credentialPluginPolicy: "DenyAll" } as const;
  assert.match(await refusal({ exec: PLUGIN }, deny), /exec in .*: .* is "DenyAll"; give --token/);
  assert.match(await refusal({ "auth-provider": { name: "oidc" } }, deny), /"DenyAll"/);
  const allow = (...list: string[]): ConfigOverrides => ({
    credentialPluginPolicy: "Allowlist",
    credentialPluginAllowlist: list,
  });
  assert.match(
    await refusal({ exec: PLUGIN }, allow("gke-gcloud-auth-plugin", "/bin/aws")),
    /"aws" is not on credentialPluginAllowlist; .* on it are: \/bin\/aws, gke-gcloud-auth-plugin/,
  );
  assert.equal((await load({ exec: PLUGIN }, allow("aws"))).credentials?.exec?.command, "aws");
  const path = { ...PLUGIN, command: "./aws" };
  assert.match(await refusal({ exec: path }, allow("aws")), /"\/home\/me\/.kube\/aws" is not on/);
  assert.ok((await load({ exec: path }, allow("/home/me/.kube/aws"))).credentials?.exec);
  const gcp = { "auth-provider": { name: "gcp", config: { "cmd-path": "/bin/gcloud" } } };
  assert.match(await refusal(gcp, allow("aws")), /"\/bin\/gcloud" is not on/);
});

Deno.test("Allowlist: a plugin beside a kubeconfig of a relative path is compared by its absolute path", async () => {
  const host = (cwd?: string): Host =>
    Object.assign(
      new FakeHost({
        env: { KUBECONFIG: "sub/../config" },
        files: {
          "sub/../config": simpleKubeconfig({ user: { exec: { ...PLUGIN, command: "bin/aws" } } }),
        },
      }),
      cwd !== undefined && { cwd: () => cwd },
    );
  const allow = (entry: string): ConfigOverrides => ({
    credentialPluginPolicy: "Allowlist",
    credentialPluginAllowlist: [entry],
  });
  const config = await loadConfig(allow("/work/bin/aws"), host("/work"));
  assert.equal(config.credentials?.exec?.command, "/work/bin/aws");
  assert.match(
    await configErrorOf(loadConfig(allow("/bin/aws"), host("/work"))),
    /"\/work\/bin\/aws" is not on/,
  );
  // Without a known working folder the command stays relative.
  const relative = (await loadConfig({}, host())).credentials?.exec?.command;
  assert.equal(relative, "bin/aws");
});

Deno.test("Allowlist refuses shell syntax in the command of a legacy login", async () => {
  const list: ConfigOverrides = {
    credentialPluginPolicy: "Allowlist",
    credentialPluginAllowlist: ["/bin/gcloud", '/bin/x" && y'],
  };
  const login = (cmdPath: string, cmdArgs: string): Record<string, unknown> => ({
    "auth-provider": { name: "gcp", config: { "cmd-path": cmdPath, "cmd-args": cmdArgs } },
  });
  const plain = login("/bin/gcloud", "config config-helper --format=json --account=me@x.example");
  assert.ok((await load(plain, list)).credentials?.authProvider);
  for (const args of ["; touch /tmp/x", "$(y)", "`y`", "a && b", "a|b", "a\nb", "> x", "~"]) {
    const odd = login("/bin/gcloud", args);
    assert.match(await refusal(odd, list), /auth-provider in .*: a shell runs its command/, args);
    assert.ok((await load(odd)).credentials?.authProvider);
  }
  assert.match(await refusal(login('/bin/x" && y', ""), list), /a shell runs its command/);
});

Deno.test("an inconsistent plugin policy and list are refused for every user", async () => {
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ credentialPluginPolicy: "Allowlist" }, /"Allowlist", and .* names no plugin/],
    [
      { credentialPluginPolicy: "Allowlist", credentialPluginAllowlist: [] },
      /names no plugin; list the plugins that may run, or set "DenyAll"/,
    ],
    [{ credentialPluginAllowlist: ["aws"] }, /no list counts; set credentialPluginPolicy to/],
    [{ credentialPluginPolicy: "allowall" }, /"allowall" is not a policy; write AllowAll/],
    ...["", "./aws", "bin/aws", "/bin/../aws"].map((entry): [Fields, RegExp] => [
      { credentialPluginPolicy: "Allowlist", credentialPluginAllowlist: [entry] },
      /is neither a program's name nor an absolute path/,
    ]),
  ];
  for (const [overrides, reason] of wrong) {
    assert.match(await refusal({ token: "t" }, overrides as ConfigOverrides), reason);
  }
});

Deno.test("I14 I16 in a pod, plugins and logins are refused unless a policy allows them", async () => {
  const users = [{ exec: PLUGIN }, { "auth-provider": { name: "oidc" } }];
  for (const user of users) {
    const host = hostWith(simpleKubeconfig({ user }), {
      "/var/run/secrets/kubernetes.io/serviceaccount/token": "t",
    });
    host.variables.set("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    host.variables.set("KUBERNETES_SERVICE_PORT", "443");
    assert.match(
      await configErrorOf(loadConfig({}, host)),
      /this runs in a pod, where .*; use the pod's service account, or set credentialPluginPolicy/,
    );
    const config = await loadConfig({ credentialPluginPolicy: "AllowAll" }, host);
    assert.ok(config.credentials?.exec ?? config.credentials?.authProvider);
  }
});

Deno.test("a configuration is printed without the variables of a plugin", async () => {
  const config = await load({ exec: { ...PLUGIN, env: [{ name: "KEY", value: CANARY }] } });
  for (const text of [Deno.inspect(config, { depth: 9 }), JSON.stringify(config)]) {
    assert.ok(!text.includes(CANARY) && text.includes("aws"), text);
  }
  assert.equal(config.credentials?.exec?.env?.[0]?.value, CANARY);
});
