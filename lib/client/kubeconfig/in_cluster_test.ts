import assert from "node:assert/strict";
import { configErrorOf, FakeHost, simpleKubeconfig } from "../../../tests/kubeconfig/fake_host.ts";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../testing/fake_clock.ts";
import { createCredentials } from "../credentials/create_credentials.ts";
import { inClusterConfig } from "./in_cluster.ts";
import { loadConfig } from "./load_config.ts";

const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const ca = await CertificateAuthority.create("test", new Date());

function pod(env: Record<string, string> = {}): FakeHost {
  return new FakeHost({
    env: { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443", ...env },
    files: {
      [`${FOLDER}/token`]: "pod-token\n",
      [`${FOLDER}/ca.crt`]: ca.cert,
      [`${FOLDER}/namespace`]: "team-a\n",
    },
  });
}

Deno.test("a pod's configuration: address, token file, certificate authority, namespace", async () => {
  const config = await inClusterConfig(pod());
  assert.deepEqual({ ...config, tls: { ...config.tls }, credentials: { ...config.credentials } }, {
    server: "https://10.0.0.1:6443",
    namespace: "team-a",
    tls: { caData: ca.cert, caFile: `${FOLDER}/ca.crt` },
    credentials: { token: "pod-token", tokenFile: `${FOLDER}/token` },
    source: "in-cluster",
  });
});

Deno.test("each file of a configuration is read once, up to the first request", async () => {
  const clock = new FakeClock();
  const host = pod();
  const own = new FakeHost({
    env: { KUBECONFIG: "/k", KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" },
    files: {
      "/k": simpleKubeconfig({ user: { tokenFile: "/t" }, context: { namespace: "" } }),
      "/t": "own-token",
      [`${FOLDER}/token`]: "pod-token",
    },
  });
  for (const [machine, load] of [[host, loadConfig], [own, loadConfig]] as const) {
    const config = await load({}, machine);
    const credentials = createCredentials(config, { clock, host: machine });
    const [[, value] = []] = await credentials.headers();
    assert.equal(value, `Bearer ${machine === host ? "pod" : "own"}-token`);
    const sorted = machine.reads.toSorted();
    assert.deepEqual(sorted, [...new Set(sorted)]);
    assert.ok(sorted.length >= 3, sorted.join());
  }
});

Deno.test("a token that is replaced after the configuration was loaded is read within 10 s, and after a 401", async () => {
  const clock = new FakeClock();
  const host = pod();
  const config = await inClusterConfig(host);
  host.files.set(`${FOLDER}/token`, "next-token");
  const credentials = createCredentials(config, { clock, host });
  const first = await credentials.headers();
  assert.equal(first[0]![1], "Bearer pod-token");
  assert.equal(await credentials.onUnauthorized(first), true);
  const later = createCredentials(config, { clock, host });
  clock.step(10_000);
  assert.equal((await later.headers())[0]![1], "Bearer next-token");
});

Deno.test("an IPv6 address of the service is put in brackets", async () => {
  const config = await inClusterConfig(pod({ KUBERNETES_SERVICE_HOST: "fd00::1" }));
  assert.equal(config.server, "https://[fd00::1]:6443");
});

Deno.test("POD_NAMESPACE takes precedence over the service account's namespace; without both it is default", async () => {
  assert.equal((await inClusterConfig(pod({ POD_NAMESPACE: "downward" }))).namespace, "downward");
  const host = pod();
  host.files.delete(`${FOLDER}/namespace`);
  assert.equal((await inClusterConfig(host)).namespace, "default");
  host.files.set(`${FOLDER}/namespace`, "Not/One");
  assert.match(await configErrorOf(inClusterConfig(host)), /"Not\/One" is not a namespace's name/);
});

Deno.test("outside a pod the error names the variables", async () => {
  for (const name of ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"]) {
    assert.match(
      await configErrorOf(inClusterConfig(pod({ [name]: "" }))),
      /^Cannot use the in-cluster configuration: KUBERNETES_SERVICE_HOST and .* use a kubeconfig$/,
    );
  }
  const message = await configErrorOf(inClusterConfig(pod({ KUBERNETES_SERVICE_PORT: "a" })));
  assert.match(message, /KUBERNETES_SERVICE_PORT: "a" is not a port/);
});

Deno.test("outside a pod the variables of a pod are ignored", async () => {
  const kubeconfig = JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c" } }],
    clusters: [{ name: "c", cluster: { server: "https://c.example" } }],
  });
  const host = new FakeHost({
    env: { KUBERNETES_SERVICE_HOST: "x", KUBERNETES_SERVICE_PORT: "tcp://x:1", KUBECONFIG: "/k" },
    files: { "/k": kubeconfig },
  });
  assert.equal((await loadConfig({}, host)).namespace, "default");
});

Deno.test("the error for a missing, empty or unreadable token names the file and the remedy", async () => {
  const host = pod();
  host.files.set(`${FOLDER}/token`, " \n");
  assert.match(await configErrorOf(inClusterConfig(host)), /token file \/var.*: it is empty/);
  host.files.set(`${FOLDER}/token`, new Deno.errors.NotCapable("no"));
  assert.match(await configErrorOf(loadConfig({}, host)), /--allow-read=\/var\/run\/secrets/);
  host.files.delete(`${FOLDER}/token`);
  assert.match(await configErrorOf(inClusterConfig(host)), /token file \/var.*: there is no/);
});

Deno.test("a missing certificate authority is omitted, a damaged one is refused", async () => {
  const host = pod();
  host.files.delete(`${FOLDER}/ca.crt`);
  assert.equal((await inClusterConfig(host)).tls, undefined);
  host.files.set(`${FOLDER}/ca.crt`, "garbage");
  assert.match(await configErrorOf(inClusterConfig(host)), /certificate authority .*no PEM text/);
});

Deno.test("flags of kubectl are applied to the in-cluster configuration", async () => {
  const config = await loadConfig(
    { namespace: "n", token: "flag", as: "alice", requestTimeout: "5s" },
    pod(),
  );
  assert.equal(config.source, "in-cluster");
  assert.equal(config.namespace, "n");
  assert.equal(config.requestTimeoutMs, 5_000);
  assert.deepEqual(config.impersonate, { user: "alice" });
  assert.deepEqual({ ...config.credentials }, { token: "flag" });
});
