import assert from "node:assert/strict";
import {
  configErrorOf,
  FakeHost,
  HOME_CONFIG,
  hostWith,
  simpleKubeconfig,
} from "../../../tests/kubeconfig/fake_host.ts";
import { buildConfigFromFlags, loadConfig } from "./load_config.ts";

const POD_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Returns a test kubeconfig whose only cluster is at `https://NAME`. */
function at(name: string): string {
  return simpleKubeconfig({ cluster: { server: `https://${name}` } });
}

/** Returns a test host that is a pod with kubeconfig files. */
function pod(files: Record<string, string> = {}, env: Record<string, string> = {}): FakeHost {
  return new FakeHost({
    env: {
      KUBERNETES_SERVICE_HOST: "10.0.0.1",
      KUBERNETES_SERVICE_PORT: "443",
      HOME: "/home/me",
      ...env,
    },
    files: { [`${POD_FOLDER}/token`]: "t", [`${POD_FOLDER}/namespace`]: "pod-ns\n", ...files },
  });
}

Deno.test("step 1: --kubeconfig is the only file read, before KUBECONFIG and home", async () => {
  const host = new FakeHost({
    env: { HOME: "/home/me", KUBECONFIG: "/env" },
    files: { "/flag": at("flag"), "/env": at("env"), [HOME_CONFIG]: at("home") },
  });
  const config = await loadConfig({ kubeconfig: "/flag" }, host);
  assert.equal(config.server, "https://flag");
  assert.equal(config.source, 'context "x" in /flag');
  assert.deepEqual(host.reads, ["/flag"]);
});

Deno.test("step 1: a missing --kubeconfig is an error, even in a pod and with others there", async () => {
  const host = pod({ "/env": at("env"), [HOME_CONFIG]: at("home") }, { KUBECONFIG: "/env" });
  const message = await configErrorOf(loadConfig({ kubeconfig: "/flag" }, host));
  assert.match(message, /no kubeconfig at \/flag/);
});

Deno.test("step 2: KUBECONFIG comes before home, and home is not read even if all it lists is missing", async () => {
  const host = new FakeHost({
    env: { HOME: "/home/me", KUBECONFIG: "/env" },
    files: { "/env": at("env"), [HOME_CONFIG]: at("home") },
  });
  assert.equal((await loadConfig({}, host)).server, "https://env");
  host.files.delete("/env");
  assert.match(await configErrorOf(loadConfig({}, host)), /no kubeconfig at \/env, and/);
  assert.ok(!host.reads.includes(HOME_CONFIG));
});

Deno.test("step 2: missing and empty entries of KUBECONFIG are skipped", async () => {
  const host = new FakeHost({
    env: { KUBECONFIG: ":/gone::/env:/env:" },
    files: { "/env": at("env") },
  });
  assert.equal((await loadConfig({}, host)).server, "https://env");
  assert.deepEqual(host.reads, ["/gone", "/env"]);
});

Deno.test("step 2: on Windows ; separates files, and paths are joined by Windows' rules", async () => {
  const host = new FakeHost({
    os: "windows",
    env: { KUBECONFIG: "C:\\a\\config;D:\\b\\config" },
    files: {
      "C:\\a\\config": simpleKubeconfig({ user: { tokenFile: "token" } }),
      "C:\\a\\token": "secret",
    },
  });
  const config = await loadConfig({}, host);
  assert.equal(config.credentials?.tokenFile, "C:\\a\\token");
  assert.deepEqual(host.reads, ["C:\\a\\config", "D:\\b\\config", "C:\\a\\token"]);
});

Deno.test("step 2: a broken file among several is an error, not skipped", async () => {
  const host = new FakeHost({
    env: { KUBECONFIG: "/good:/bad" },
    files: { "/good": at("good"), "/bad": "a: [" },
  });
  assert.match(await configErrorOf(loadConfig({}, host)), /kubeconfig \/bad: line 1/);
});

Deno.test("step 3: .kube/config at home when neither flag nor KUBECONFIG is set", async () => {
  const host = hostWith(at("home"));
  host.variables.set("KUBECONFIG", "");
  const config = await loadConfig({ kubeconfig: "" }, host);
  assert.equal(config.server, "https://home");
  assert.equal(config.source, `context "x" in ${HOME_CONFIG}`);
});

Deno.test("step 3: on Windows home is HOME, HOMEDRIVE with HOMEPATH, or USERPROFILE, the first with a file", async () => {
  const profile = "C:\\Users\\me\\.kube\\config";
  const host = new FakeHost({
    os: "windows",
    env: { HOME: "C:\\h", HOMEDRIVE: "D:", HOMEPATH: "\\p", USERPROFILE: "C:\\Users\\me" },
    files: { [profile]: at("profile") },
  });
  assert.equal((await loadConfig({}, host)).server, "https://profile");
  assert.deepEqual(host.reads, ["C:\\h\\.kube\\config", "D:\\p\\.kube\\config", profile]);
  host.files.set("D:\\p\\.kube\\config", at("drive"));
  host.reads.length = 0;
  assert.equal((await loadConfig({}, host)).server, "https://drive");
  assert.deepEqual(host.reads, ["C:\\h\\.kube\\config", "D:\\p\\.kube\\config"]);
});

Deno.test("step 4: in a pod without a kubeconfig, the in-cluster configuration", async () => {
  const config = await loadConfig({}, pod());
  assert.equal(config.server, "https://10.0.0.1");
  assert.equal(config.source, "in-cluster");
  assert.equal(config.namespace, "pod-ns");
});

Deno.test("step 4: in a pod, a kubeconfig that selects something wins; an empty one does not", async () => {
  assert.equal((await loadConfig({}, pod({ [HOME_CONFIG]: at("home") }))).server, "https://home");
  const noCurrent = simpleKubeconfig({ top: { "current-context": "" } });
  for (const text of ["", "{}", "contexts: null", noCurrent]) {
    const config = await loadConfig({}, pod({ [HOME_CONFIG]: text }));
    assert.equal(config.source, "in-cluster", text);
  }
});

Deno.test("step 4: without a token file the process is not in a pod, also with the address of the service set", async () => {
  const host = pod();
  host.files.delete(`${POD_FOLDER}/token`);
  assert.match(await configErrorOf(loadConfig({}, host)), /no kubeconfig at \/home\/me/);
});

Deno.test("in a pod, a context without a namespace gets that of the pod; another keeps its own", async () => {
  assert.equal((await loadConfig({}, pod({ [HOME_CONFIG]: at("home") }))).namespace, "pod-ns");
  for (const namespace of ["team-a", "default"]) {
    const text = simpleKubeconfig({ context: { namespace } });
    assert.equal((await loadConfig({}, pod({ [HOME_CONFIG]: text }))).namespace, namespace);
  }
  const env = { POD_NAMESPACE: "downward" };
  assert.equal((await loadConfig({}, pod({}, env))).namespace, "downward");
});

Deno.test("buildConfigFromFlags() without flags: in-cluster first, the kubeconfig only outside", async () => {
  const inside = await buildConfigFromFlags({}, pod({ [HOME_CONFIG]: at("home") }));
  assert.equal(inside.source, "in-cluster");
  const outside = await buildConfigFromFlags({}, hostWith(at("home")));
  assert.equal(outside.server, "https://home");
});

Deno.test("buildConfigFromFlags() with a kubeconfig: that file, at the address of master when given too", async () => {
  const host = pod({ "/flag": at("flag"), [HOME_CONFIG]: at("home") });
  const config = await buildConfigFromFlags({ kubeconfig: "/flag" }, host);
  assert.equal(config.server, "https://flag");
  const moved = await buildConfigFromFlags({ kubeconfig: "/flag", master: "https://m" }, host);
  assert.equal(moved.server, "https://m");
});

Deno.test("buildConfigFromFlags() with a master alone: that server, no credentials, no kubeconfig read", async () => {
  const host = pod({ [HOME_CONFIG]: simpleKubeconfig({ user: { token: "t" } }) });
  const config = await buildConfigFromFlags({ master: "https://m:1" }, host);
  assert.equal(config.server, "https://m:1");
  assert.equal(config.credentials, undefined);
  assert.ok(!host.reads.includes(HOME_CONFIG));
});

Deno.test("I19 of several files the first current context and the first entry of each name are used", async () => {
  const first = `
clusters:
- {name: c, cluster: {server: https://first}}
users:
- {name: u, user: {username: only-name}}
`;
  const second = `
current-context: x
contexts:
- {name: x, context: {cluster: c, user: u, namespace: second}}
clusters:
- {name: c, cluster: {server: https://second, tls-server-name: lost}}
- {name: d, cluster: {server: https://other}}
users:
- {name: u, user: {token: lost}}
`;
  const third = simpleKubeconfig({ top: { "current-context": "y" } });
  const host = new FakeHost({
    env: { KUBECONFIG: "/1:/2:/3" },
    files: { "/1": first, "/2": second, "/3": third },
  });
  const config = await loadConfig({}, host);
  assert.equal(config.server, "https://first");
  assert.equal(config.tls, undefined);
  assert.equal(config.namespace, "second");
  assert.equal(config.source, 'context "x" in /2');
  assert.deepEqual({ ...config.credentials }, { username: "only-name", password: "" });
  assert.equal((await loadConfig({ cluster: "d" }, host)).server, "https://other");
});

Deno.test("I19 relative paths start at the folder of the file that contains them", async () => {
  const host = new FakeHost({
    env: { KUBECONFIG: "/one/config:two/config" },
    files: {
      "/one/config": simpleKubeconfig({ user: { tokenFile: "t/token" } }),
      "two/config": simpleKubeconfig({
        top: {
          contexts: [{ name: "two", context: { cluster: "c", user: "v" } }],
          users: [{ name: "v", user: { tokenFile: "../up" } }],
        },
      }),
      "/one/t/token": "a",
      "up": "b",
    },
  });
  assert.equal((await loadConfig({}, host)).credentials?.tokenFile, "/one/t/token");
  assert.equal((await loadConfig({ context: "two" }, host)).credentials?.tokenFile, "up");
});
