/** Tests of bad input of `kubectl xca run`: one line each, before anything has started. */
import assert from "node:assert/strict";
import { testContext, type TestContextInit } from "../tests/support/command_line/cli_context.ts";
import { until } from "../tests/support/until.ts";
import { findFreePort, listenOnFreePort } from "../lib/testing/free_port.ts";
import { runCli } from "./app.ts";

interface Outcome {
  readonly code: number;
  /** The log lines of the process. */
  readonly log: string;
  /** The lines of the error message. */
  readonly error: string;
}

async function run(flags: readonly string[], init: TestContextInit = {}): Promise<Outcome> {
  const context = testContext(init);
  const code = await runCli(["run", ...flags], context);
  const at = context.stderr().indexOf("error: ");
  return { code, log: context.stderr().slice(0, at), error: context.stderr().slice(at) };
}

/** Asserts that `run --embedded` ends with one line, and that no controller started. */
async function refused(
  flags: readonly string[],
  error: RegExp,
  init?: TestContextInit,
): Promise<void> {
  const outcome = await run(["--embedded", ...flags], init);
  assert.equal(outcome.code, 1, outcome.error);
  assert.match(outcome.error, error);
  assert.equal(outcome.error.trim().split("\n").length, 1, outcome.error);
  assert(!/Controller|Running/.test(outcome.log), outcome.log);
}

Deno.test("run: a port in use is one line, before anything has started", async () => {
  using listener = listenOnFreePort();
  const address = `127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
  const text = `Cannot serve on ${address}: another process uses the port; end it, or choose`;
  await refused(
    [`--health-probe-bind-address=${address}`],
    new RegExp(`^error: Cannot set up health server: ${text}`),
  );
  await refused(
    [`--metrics-bind-address=${address}`, "--metrics-secure=false"],
    new RegExp(`^error: Cannot set up metrics server: ${text}`),
  );
});

Deno.test("run: a certificate that cannot be used is one line, before anything has started", async () => {
  const flags = ["--metrics-bind-address=127.0.0.1:0", "--metrics-cert-path=/certs"];
  await refused(flags, /^error: Cannot set up metrics server: .*\/certs\/tls\.crt/);
  const files = { "/certs/tls.crt": "no PEM text", "/certs/tls.key": "none either" };
  await refused(
    flags,
    /^error: Cannot set up metrics server: Cannot use the certificate \/certs\/tls\.crt: it cannot be read: .*; replace it; openssl x509 -noout -text -in \/certs\/tls\.crt shows it\n$/,
    { files },
  );
});

Deno.test("run: flags of the servers that cannot be exit 2 with one line and the usage", async () => {
  const cases: [readonly string[], RegExp][] = [
    [["--metrics-bind-address=8443"], /^error: --metrics-bind-address: .*"8443".*such as :8443/],
    [["--health-probe-bind-address=:99999"], /^error: --health-probe-bind-address: .*":99999"/],
    [
      ["--metrics-bind-address=:8080", "--health-probe-bind-address=:8080"],
      /^error: --metrics-bind-address and --health-probe-bind-address are both :8080/,
    ],
    [["--metrics-cert-name=x"], /^error: --metrics-cert-name is a file of a folder: add/],
    [["--metrics-cert-path=x"], /^error: --metrics-cert-path is for a secure metrics server/],
    [
      ["--metrics-cert-path=x", "--metrics-bind-address=:1", "--metrics-secure=false"],
      /^error: --metrics-cert-path is for a secure metrics server/,
    ],
  ];
  for (const [flags, error] of cases) {
    const outcome = await run(["--embedded", ...flags]);
    assert.equal(outcome.code, 2, outcome.error);
    assert.match(outcome.error, error);
    assert.match(outcome.error, /^[^\n]+\nSee 'kubectl xca run --help' for usage\.\n$/);
  }
});

Deno.test("run: a duration that cannot be exits 2", async () => {
  for (const duration of ["5", "soon", "1x", "", "9999h"]) {
    const { code, error } = await run([`--graceful-shutdown-timeout=${duration}`]);
    assert.equal(code, 2, error);
    assert.match(error, /^error: --graceful-shutdown-timeout must be a duration .*, is ".*"\n/);
  }
});

Deno.test("run: several namespaces are checked one by one, and share a Lease that is named", async () => {
  const { code, error } = await run(["-n", "a", "-n", "B"]);
  assert.equal(code, 2);
  assert.match(error, /^error: --namespace "B" cannot be a namespace/);
  const election = await run(["-n", "a", "-n", "b", "--leader-elect"]);
  assert.equal(election.code, 2);
  assert.match(election.error, /^error: --leader-elect with several namespaces needs --leader/);
  const both = await run(["-n", "a", "-n", "b", "-A"]);
  assert.match(both.error, /^error: -n and -A cannot go together/);
});

Deno.test("run: two controllers of one name are refused with the module", async () => {
  const door = new URL("../lib/controller/mod.ts", import.meta.url).href;
  const meta = new URL("../lib/apimachinery/meta/mod.ts", import.meta.url).href;
  const module = `
    import { controllerFor, defineOperator } from ${JSON.stringify(door)};
    import { ConfigMap } from ${JSON.stringify(meta)};
    const controllers = [1, 2].map(() => controllerFor(ConfigMap).reconcile(() => {}));
    export default defineOperator({ name: "twice", controllers });`;
  const url = `data:text/typescript,${encodeURIComponent(module)}`;
  const { code, error } = await run([url, "--embedded"]);
  assert.equal(code, 2);
  assert.match(
    error,
    /Cannot define operator twice: two controllers are named configmap; .*\nSee 'kubectl xca run/,
  );
});

Deno.test("run serves health and metrics, and watches each namespace that is given", async () => {
  const [health, metrics] = [findFreePort(), findFreePort()];
  const context = testContext();
  const done = runCli([
    "run",
    "--embedded",
    "-n",
    "default",
    "-n",
    "kube-public",
    `--health-probe-bind-address=127.0.0.1:${health}`,
    `--metrics-bind-address=127.0.0.1:${metrics}`,
    "--metrics-secure=false",
    "--graceful-shutdown-timeout=1s",
  ], context);
  const get = async (url: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${url}`);
    return `${answer.status} ${await answer.text()}`;
  };
  await until(() => context.stderr().includes("Running"), () => context.stderr());
  await until(async () => (await get(`${health}/readyz`)).startsWith("200"), "it is ready");
  assert.equal(await get(`${health}/healthz`), "200 ok");
  assert.match(await get(`${metrics}/metrics`), /^workqueue_depth\{/m);
  assert.match(await get(`${metrics}/metrics`), /^rest_client_requests_total\{/m);
  const debug = await get(`${metrics}/debug`);
  for (const section of ["manager", "controllers", "caches", "lease"]) {
    assert(debug.includes(`"${section}": `), debug);
  }
  for (const namespace of ["default", "kube-public"]) {
    assert.match(
      debug,
      new RegExp(`xcas\\.v1beta1\\.apps\\.xca\\.k8s\\.kb\\.cx \\(${namespace}\\)`),
    );
  }
  context.interrupt("SIGTERM");
  assert.equal(await done, 0, context.stderr());
});
