import assert from "node:assert/strict";
import { until } from "../tests/support/until.ts";
import { certificationRequest } from "../tests/support/network/certification_request.ts";
import { type TestContext, testContext } from "../tests/support/command_line/cli_context.ts";
import { bindPod, createClient, loadConfig, requestToken, whoAmI } from "../lib/client/mod.ts";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import {
  CertificateSigningRequest,
  ConfigMap,
  Deployment,
  Job,
  keyOf,
  Namespace,
  Node,
  Pod,
  Secret,
} from "@xca/apimachinery/meta";
import { Xca } from "../lib/xca/mod.ts";
import { runCli } from "./app.ts";

interface Served extends AsyncDisposable {
  readonly context: TestContext;
  readonly kubeconfig: string;
  /** Ends the serving process, and returns its exit code. */
  end(): Promise<number>;
}

async function serve(...flags: string[]): Promise<Served> {
  const context = testContext();
  const done = runCli(["serve", ...flags], context);
  await until(() => Promise.resolve(/KUBECONFIG=/.test(context.stdout() + context.stderr())), "up");
  const [, kubeconfig] = /export KUBECONFIG=(\S+)/.exec(context.stdout() + context.stderr())!;
  const end = (): Promise<number> => {
    context.interrupt("SIGINT");
    return done;
  };
  return {
    context,
    kubeconfig: kubeconfig!,
    end,
    [Symbol.asyncDispose]: async () => void await end(),
  };
}

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("serve prints its address, serves by its kubeconfig, and leaves no files", async () => {
  const served = await serve();
  const { context, kubeconfig } = served;
  assert.match(context.stderr(), /Listening on https:\/\/127\.0\.0\.1:\d+; Ctrl-C ends it\./);
  assert.equal((await Deno.stat(kubeconfig)).mode! & 0o777, 0o600);
  {
    using client = createClient(await loadConfig({ kubeconfig }));
    const { status } = await client.get(Namespace, "default");
    assert.deepEqual(status, { phase: "Active" });
  }
  assert.equal(await served.end(), 130);
  await assert.rejects(Deno.stat(kubeconfig), Deno.errors.NotFound);
});

Deno.test("serve applies seeds, writes the kubeconfig to the given path, and logs each request", async () => {
  await using folder = await temporaryFolder();
  const seed = `${folder.path}/seed.yaml`;
  await Deno.writeTextFile(
    seed,
    `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: seeded, namespace: shop }
data: { secret-looking: text }
`,
  );
  const file = `${folder.path}/kubeconfig`;
  const flags = ["--seed", seed, "--write-kubeconfig", file, "--audit", "-"];
  const served = await serve(...flags, "--controllers=none");
  assert.equal(served.kubeconfig, file);
  assert.match(served.context.stderr(), /Seeded 2 objects\./);
  {
    using client = createClient(await loadConfig({ kubeconfig: file }));
    await client.get(ConfigMap, "shop/seeded");
  }
  await served.end();
  const events = served.context.stdout().trim().split("\n").map((line) => JSON.parse(line));
  const last = events.at(-1);
  assert.deepEqual(
    [last.verb, last.objectRef.resource, last.objectRef.name, last.responseStatus.code],
    ["get", "configmaps", "seeded", 200],
  );
  assert.equal(last.user.username, "admin");
  assert(!served.context.stdout().includes("secret-looking"));
  await Deno.stat(file); // A file that a flag named is kept.
});

Deno.test("serve runs Deployments on simulated nodes, and the selected controllers alone", async () => {
  await using served = await serve(
    "--nodes=2",
    "--controllers=*,-scheduler,-job,-garbagecollector",
  );
  using client = createClient(await loadConfig({ kubeconfig: served.kubeconfig }));
  const names = (await client.list(Node)).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(names, ["node-1", "node-2"]);
  const labels = { app: "web" };
  const containers = [{ name: "app", image: "app:1" }];
  await client.create(Job, {
    metadata: { name: "idle", namespace: "default" },
    spec: { template: { spec: { containers, restartPolicy: "Never" } } },
  });
  await client.create(Deployment, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  const pods = async (): Promise<V1Pod[]> => (await client.list(Pod)).items;
  await until(async () => (await pods()).length === 1, "a pod");
  const [pod] = await pods();
  assert.equal(pod?.spec?.nodeName, undefined);
  assert.doesNotMatch(served.context.stderr(), /deprecated/);
  await bindPod(client, keyOf(pod!), "node-2");
  await until(async () => (await pods())[0]?.status?.phase === "Running", "a pod that runs");
  assert.equal((await pods()).length, 1);
  assert.equal(await served.end(), 130);
});

Deno.test("serve signs approved certificates, by which users authenticate", async () => {
  await using served = await serve("--nodes=0");
  const config = await loadConfig({ kubeconfig: served.kubeconfig });
  using client = createClient(config);
  const { request, key } = await certificationRequest({
    commonName: "jane",
    organizations: ["dev"],
  });
  await client.create(CertificateSigningRequest, {
    metadata: { name: "jane" },
    spec: {
      request: btoa(request),
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
    },
  });
  const made = await client.get(CertificateSigningRequest, "jane");
  const approved = { type: "Approved", status: "True", reason: "Test", message: "approved" };
  await client.requestJson({
    method: "PUT",
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests/jane/approval",
    body: { ...made, status: { conditions: [approved] } },
  });
  const certificate = async (): Promise<string | undefined> =>
    (await client.get(CertificateSigningRequest, "jane")).status?.certificate;
  await until(async () => await certificate() !== undefined, "a certificate");
  const { caData } = config.tls!;
  const cert = atob((await certificate())!);
  const tls = { caData: caData!, certData: cert, keyData: key };
  using jane = createClient({ server: config.server, tls });
  const { username, groups } = await whoAmI(jane);
  assert.deepEqual([username, groups], ["jane", ["dev", "system:authenticated"]]);
  assert.equal(await served.end(), 130);
});

Deno.test("serve gives pods a service account, and Secrets tokens that authenticate", async () => {
  await using folder = await temporaryFolder();
  const seed = `${folder.path}/seed.yaml`;
  await Deno.writeTextFile(
    seed,
    `
apiVersion: v1
kind: Pod
metadata: { name: seeded }
spec: { containers: [{ name: app, image: "app:1" }] }
`,
  );
  await using served = await serve("--seed", seed, "--nodes=1");
  assert.match(served.context.stderr(), /Seeded 1 objects\./);
  const config = await loadConfig({ kubeconfig: served.kubeconfig });
  using client = createClient(config);
  const { spec } = await client.get(Pod, "default/seeded");
  assert.equal(spec?.serviceAccountName, "default");
  assert.match(spec?.containers[0]?.volumeMounts?.[0]?.name ?? "", /^kube-api-access-/);
  const annotations = { "kubernetes.io/service-account.name": "default" };
  const type = "kubernetes.io/service-account-token";
  await client.create(Secret, { metadata: { name: "token", annotations }, type });
  await until(async () => Boolean((await client.get(Secret, "default/token")).data?.["token"]));
  const { data } = await client.get(Secret, "default/token");
  const text = (name: string): string =>
    new TextDecoder().decode(Uint8Array.fromBase64(data![name]!));
  await client.get(ConfigMap, "default/kube-root-ca.crt");
  using robot = createClient({
    server: config.server,
    tls: { caData: text("ca.crt") },
    credentials: { token: text("token") },
  });
  await assert.rejects(robot.get(ConfigMap, "default/a"), /serviceaccount:default:default" cannot/);
  await client.delete(Secret, "default/token");
  await assert.rejects(robot.get(ConfigMap, "default/a"), /Unauthorized/);
});

Deno.test("serve continues from its folder: objects, certificates and tokens survive", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/cluster`;
  let token: string;
  {
    await using served = await serve("--data", data);
    assert.equal(served.kubeconfig, `${data}/kubeconfig`);
    using client = createClient(await loadConfig({ kubeconfig: served.kubeconfig }));
    await client.create(ConfigMap, { metadata: { name: "kept" } });
    const path = "/api/v1/namespaces/default/serviceaccounts";
    await client.request({ method: "POST", path, body: { metadata: { name: "robot" } } });
    token = (await requestToken(client, "default/robot")).token;
  }
  const before = await Deno.readTextFile(`${data}/pki/ca.crt`);
  await using served = await serve("--data", data);
  assert.equal(await Deno.readTextFile(`${data}/pki/ca.crt`), before);
  const config = await loadConfig({ kubeconfig: served.kubeconfig });
  using client = createClient(config);
  await client.get(ConfigMap, "default/kept");
  const { certData: _c, keyData: _k, ...tls } = config.tls!;
  using robot = createClient({ server: config.server, tls, credentials: { token } });
  await assert.rejects(
    robot.get(ConfigMap, "default/kept"),
    /serviceaccount:default:robot" cannot/,
  );
});

Deno.test("serve refuses unusable flags and files, with exit 2 and one line", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await Deno.writeTextFile(`${path}/mine`, "current-context: production\n");
  await Deno.writeTextFile(`${path}/bad.yaml`, "kind: Pod\n");
  await Deno.mkdir(`${path}/strange`);
  await Deno.writeTextFile(`${path}/strange/objects`, "of another program");
  await Deno.mkdir(`${path}/clusters`);
  await Deno.writeTextFile(`${path}/clusters/kubeconfig`, "current-context: production\n");
  await Deno.chmod(`${path}/clusters`, 0o755);
  await Deno.mkdir(`${path}/unkeyed`);
  await Deno.writeTextFile(`${path}/unkeyed/pki`, "");
  await Deno.writeTextFile(
    `${path}/refused.yaml`,
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: A_}}",
  );
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases: [string, RegExp][] = [
    [`serve --port ${taken.addr.port}`, /cannot listen on 127.0.0.1:\d+: the port is taken; give/],
    ["serve --nodes=-1", /--nodes must be a number from 0 to 1000, is "-1"/],
    [
      "serve --nodes=2 --controllers=none",
      /--nodes needs the kubelet: leave out --controllers=none/,
    ],
    ["serve --controllers=", /--controllers is empty: give names, or none for no controller/],
    [
      "serve --controllers=-kubelet",
      /selects no controller: give \*,-kubelet for all others, or none for no controller/,
    ],
    [
      "serve --controllers=*,-garbage-collector-controller,-deploy",
      /--controllers has "deploy": known are certificatesigningrequest-approving-controller, /,
    ],
    ["serve --port 99999", /--port must be a number from 0 to 65535, is "99999"/],
    [
      "serve --bind 300.1.1.1",
      /^error: --bind "300.1.1.1" is not an IP address: give an address of/,
    ],
    ["serve --bind 1::2::3", /^error: --bind "1::2::3" is not an IP address: give/],
    [`serve --bind 300.1.1.1 --data ${path}/cluster`, /^error: --bind "300.1.1.1" is not an IP/],
    [
      "serve --bind fe80::1%lo",
      /^error: --bind "fe80::1%lo" has a zone, which a URL cannot contain/,
    ],
    ["serve --bind [300::1::2]", /^error: --bind "\[300::1::2\]" is not an IP address/],
    [
      "serve --bind 192.0.2.1",
      /^error: cannot listen on 192.0.2.1:0: this machine has no such address/,
    ],
    [`serve --write-kubeconfig ${path}/mine`, /another kubeconfig is there/],
    [
      `serve --write-kubeconfig ${path}/no/such`,
      /cannot write the kubeconfig .*no\/such: there is no such file or folder; give a file/,
    ],
    [
      `serve --write-kubeconfig ${path}`,
      /cannot write the kubeconfig .*: it is a folder, not a file; give/,
    ],
    [`serve --data ${path}/mine`, /keep the cluster in --data ".*mine": a file is there, not a/],
    [`serve --data ${path}/mine/deeper`, /a part of it is a file, not a folder; give a folder/],
    ["serve --data /proc/x", /cannot keep the cluster in --data "\/proc\/x": .*; give a folder/],
    [
      `serve --data ${path}/strange`,
      /cannot keep the cluster in --data ".*": .* it is not a data file/,
    ],
    [
      `serve --data ${path}/strange`,
      /Cannot read the data file .*strange\/objects: it is not a data file/,
    ],
    [
      `serve --data ${path}/clusters`,
      /--data .*clusters: the kubeconfig of another cluster is there, .*clusters\/kubeconfig; name/,
    ],
    [`serve --data ${path}/unkeyed`, /in --data ".*unkeyed": .*\/pki\S*: .*; give a folder/],
    [`serve --audit ${path}/no/such`, /cannot write the audit log .*no\/such: there is no such/],
    [`serve --audit ${path}`, /cannot write the audit log .*: it is a folder, not a file; give/],
    [`serve --seed ${path}/missing.yaml`, /cannot read the seed .*missing\.yaml: there is no such/],
    [`serve --seed ${path}`, /cannot read the seed .*: it is a folder, not a file; give a file of/],
    ...["data", "bind", "audit", "seed", "write-kubeconfig"].map((flag): [string, RegExp] => [
      `serve --${flag} `,
      new RegExp(`--${flag} is empty: give a value, or leave it out`),
    ]),
    ["run --embedded --data ", /--data is empty: give a value/],
    [`serve --seed ${path}/bad.yaml`, /cannot read the seed .*: Cannot read document 1: it has no/],
    [
      `serve --seed ${path}/refused.yaml`,
      /the seed .*refused\.yaml is refused: Cannot seed ConfigMap A_: ConfigMap "A_" is invalid/,
    ],
    ["serve --server https://x", /serve brings its own API server: leave out --server/],
    ["serve --as jane", /leave out --as/],
    ["run --seed x", /--seed is for a server of our own: add --embedded/],
    ["run --embedded --kubeconfig x", /run --embedded brings its own API server: leave out/],
  ];
  for (const [line, message] of cases) {
    const context = testContext();
    assert.equal(await runCli(line.split(" "), context), 2, line);
    assert.match(context.stderr(), message, line);
    assert(!/^\s+at /m.test(context.stderr()), context.stderr());
    assert.equal(context.stdout(), "", line);
  }
  assert.equal(await Deno.readTextFile(`${path}/mine`), "current-context: production\n");
  const clusters = await Deno.stat(`${path}/clusters`);
  if (clusters.mode !== null) assert.equal(clusters.mode & 0o777, 0o755, "the folder is as before");
});

Deno.test("serve warns when it listens on more than loopback", async () => {
  await using served = await serve("--bind", "0.0.0.0");
  assert.match(served.context.stderr(), /^WARNING: listening on 0\.0\.0\.0, where other machines/);
  assert.match(served.context.stderr(), /Listening on https:\/\/127\.0\.0\.1:/);
});

Deno.test("serve listens on an IPv6 address with or without brackets", async () => {
  for (const bind of ["::1", "[::1]"]) {
    await using served = await serve("--bind", bind);
    assert.match(served.context.stderr(), /^Listening on https:\/\/\[::1\]:\d+;/);
  }
});

Deno.test("serve names the variable to set when no temporary folder can be created, and exits 2", async () => {
  const app = JSON.stringify(new URL("./app.ts", import.meta.url).href);
  const context = JSON.stringify(new URL("./context.ts", import.meta.url).href);
  const code = `import { runCli } from ${app}; import { processContext } from ${context};
    Deno.exit(await runCli(["serve"], processContext()));`;
  for (
    const [folder, why] of [["/no/such", "there is no such"], ["/dev/null", "a part of it is"]]
  ) {
    const { code: ended, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", code],
      env: { TMPDIR: folder! },
    }).output();
    const said = new TextDecoder().decode(stderr);
    assert.equal(ended, 2, said);
    assert(said.includes(`into the temporary folder ${folder}: ${why}`), said);
    assert.match(
      said,
      /; set TMPDIR to a folder of your own, or say where by --write-kubeconfig\n/,
    );
  }
});

Deno.test("a second interrupt ends serve at once", async () => {
  const served = await serve();
  served.context.interrupt("SIGINT");
  served.context.interrupt("SIGINT");
  assert.deepEqual(served.context.exits, [130]);
  await served.end();
});

const XCAS = `
apiVersion: ${Xca.group}/${Xca.version}
kind: Xca
metadata: { name: earth }
spec: { foo: a }
---
apiVersion: ${Xca.group}/${Xca.version}
kind: Xca
metadata: { name: mars }
`;

Deno.test("run --embedded --once installs, seeds, reconciles and exits, without a cluster", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/xcas.yaml`, XCAS);
  const context = testContext();
  const line = ["run", "--embedded", "--once", "--seed", `${folder.path}/xcas.yaml`];
  assert.equal(await runCli(line, context), 0, context.stderr());
  assert.match(context.stdout(), /^2 reconciled, 0 failed, 0 scheduled\n$/);
});

Deno.test("run --embedded of a module without the definition of its resource says how to provide it", async () => {
  const controller = new URL("../lib/controller/mod.ts", import.meta.url).href;
  const meta = new URL("../lib/apimachinery/meta/mod.ts", import.meta.url).href;
  const module = `
    import { controllerFor, defineOperator } from ${JSON.stringify(controller)};
    import { resourceType } from ${JSON.stringify(meta)};
    const Thing = resourceType({ group: "a.b", version: "v1", kind: "Thing", plural: "things" });
    export default defineOperator({
      name: "things",
      controllers: [controllerFor(Thing).reconcile(() => {})],
    });`;
  const context = testContext();
  const url = `data:text/typescript,${encodeURIComponent(module)}`;
  assert.equal(await runCli(["run", url, "--embedded"], context), 1);
  assert.match(context.stderr(), /no definition of it, so give a file with one by --seed\n$/);
});

Deno.test("run of a module whose resource has another kind or scope than on the server exits 2", async () => {
  const controller = new URL("../lib/controller/mod.ts", import.meta.url).href;
  const meta = new URL("../lib/apimachinery/meta/mod.ts", import.meta.url).href;
  const wrong = [
    [`kind: "Config", plural: "configmaps"`, /serves it with kind ConfigMap, not Config/],
    [`kind: "ConfigMap", plural: "configmaps", scope: "Cluster"`, /Namespaced, not Cluster/],
  ] as const;
  for (const [fields, message] of wrong) {
    const module = `
      import { controllerFor, defineOperator } from ${JSON.stringify(controller)};
      import { resourceType } from ${JSON.stringify(meta)};
      const Map = resourceType({ group: "", version: "v1", ${fields} });
      export default defineOperator({
        name: "maps",
        controllers: [controllerFor(Map).reconcile(() => {})],
      });`;
    const context = testContext();
    const url = `data:text/typescript,${encodeURIComponent(module)}`;
    assert.equal(await runCli(["run", url, "--embedded", "--once"], context), 2);
    assert.match(context.stderr(), message);
    assert.equal(context.stdout(), "");
  }
});

Deno.test("run --embedded can be inspected with its kubeconfig while it runs", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/xcas.yaml`, XCAS);
  const kubeconfig = `${folder.path}/kubeconfig`;
  const context = testContext();
  const flags = ["--seed", `${folder.path}/xcas.yaml`, "--write-kubeconfig", kubeconfig];
  const done = runCli(["run", "--embedded", ...flags], context);
  await until(() => Promise.resolve(context.stderr().includes("Running")), "it runs");
  {
    using client = createClient(await loadConfig({ kubeconfig }));
    await until(async () => {
      const { items } = await client.list(Xca, { namespace: "default" });
      return items.length === 2 && items.every(({ status }) => status?.active === true);
    }, "both are active");
  }
  context.interrupt("SIGINT");
  assert.equal(await done, 130, context.stderr());
});

/** Returns the error message of `kubectl xca serve` for a seed that it refuses. */
async function refusalOf(seed: string): Promise<string> {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/seed.yaml`, seed);
  const context = testContext();
  assert.equal(await runCli(["serve", "--seed", `${folder.path}/seed.yaml`], context), 2);
  assert.equal(context.stdout(), "");
  return context.stderr();
}

/** Returns a ConfigMap manifest with data, as YAML. */
function configMapOf(data: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ${data}}\n`;
}

Deno.test("I26 a manifest that is a YAML bomb, nested too deep, or too large is refused, and the error names its file", async () => {
  const doubling = "bcdefghijk".replace(/./g, (at, index) => {
    const of = index === 0 ? "a" : "bcdefghijk"[index - 1];
    return `${at}: &${at} [${Array(9).fill(`*${of}`).join(", ")}]\n`;
  });
  const cases: [string, RegExp][] = [
    [`a: &a [x, x]\n${doubling}`, /seed\.yaml: yaml: document contains excessive aliasing/],
    [
      configMapOf(`${"{a: ".repeat(2_000)}1${"}".repeat(2_000)}`),
      /seed\.yaml is refused: Cannot seed ConfigMap a: /,
    ],
    [
      configMapOf(`${"{a: ".repeat(10_001)}1${"}".repeat(10_001)}`),
      /seed\.yaml: yaml: .*exceeded max depth/,
    ],
    [configMapOf(`{a: ${"x".repeat(3_200_000)}}`), /seed\.yaml is refused: .*too large: limit is/],
  ];
  for (const [seed, message] of cases) {
    const said = await refusalOf(seed);
    assert.match(said, message);
    assert(said.length < 1_000, "nothing of the text");
  }
});

Deno.test("I27 a manifest with an unknown field, such as __proto__, or a field of another type is refused", async () => {
  const cases: [string, RegExp][] = [
    [`${configMapOf("{}").trimEnd().slice(0, -1)}, __proto__: {x: 1}}`, /ConfigMap a: .*__proto__/],
    [configMapOf("!!js/function x"), /ConfigMap a: .*\.data: expected map/],
    [configMapOf("{a: 9007199254740993}"), /ConfigMap a: .*\.data\.a: expected string/],
  ];
  for (const [seed, message] of cases) assert.match(await refusalOf(seed), message);
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});

const modeOf = (path: string): number => Deno.statSync(path).mode! & 0o777;

Deno.test("serve removes the rights of others to its folder, its keys and its audit log", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  const audit = `${folder.path}/audit`;
  await using _first = await serve("--data", data);
  await _first.end();
  for (const name of ["", "/pki", "/objects"]) Deno.chmodSync(data + name, 0o777);
  for (const name of ["/kubeconfig", "/pki/ca.key"]) Deno.chmodSync(data + name, 0o666);
  Deno.writeTextFileSync(`${data}/notes`, "of somebody", { mode: 0o644 });
  Deno.chmodSync(`${data}/notes`, 0o644);
  Deno.writeTextFileSync(audit, "");
  Deno.chmodSync(audit, 0o644);
  await using served = await serve("--data", data, "--audit", audit);
  const names = ["", "/pki", "/objects", "/kubeconfig", "/pki/ca.key", "/notes"];
  assert.deepEqual(
    names.map((name) => modeOf(data + name).toString(8)),
    ["755", "700", "700", "600", "600", "644"],
  );
  assert.equal(modeOf(audit), 0o600);
  assert.match(
    served.context.stderr(),
    /WARNING: others could write the folder \S+data; now only its owner/,
  );
  assert.match(
    served.context.stderr(),
    /WARNING: others could use the file \S+audit; now only its owner/,
  );
});

Deno.test("serve writes no keys and no audit log through a link, or into a folder where others may replace them", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await Deno.writeTextFile(`${path}/target`, "");
  await Deno.symlink(`${path}/target`, `${path}/link`);
  await Deno.mkdir(`${path}/open`);
  await Deno.mkdir(`${path}/open/data`);
  await Deno.chmod(`${path}/open`, 0o777);
  await Deno.mkdir(`${path}/planted`);
  await Deno.symlink(path, `${path}/planted/pki`);
  const cases: [string, RegExp][] = [
    [`--write-kubeconfig ${path}/link`, /cannot write the kubeconfig .*link: it is a link; give/],
    [
      `--write-kubeconfig ${path}/open/a`,
      /: any user may replace the files in .*open; give a place/,
    ],
    [`--data ${path}/open/data`, /in --data ".*": any user may replace the files in .*open; give/],
    [`--data ${path}/open/new`, /in --data ".*": any user may replace the files in .*open; give/],
    [`--data ${path}/open/new/deep`, /any user may replace the files in .*open; give/],
    [`--audit ${path}/link`, /cannot write the audit log .*link: it is a link; give the file/],
    [`--audit ${path}/open/log`, /any user may replace the files in .*open; give a place/],
    [`--data ${path}/fresh --audit ${path}/link`, /cannot write the audit log .*: it is a link/],
    [`--data ${path}/planted`, /in --data ".*": .*planted\/pki is a link; remove it, or give a/],
  ];
  for (const [line, message] of cases) {
    const context = testContext();
    assert.equal(await runCli(["serve", ...line.split(" ")], context), 2, line);
    assert.match(context.stderr(), message, line);
  }
  assert.equal(await Deno.readTextFile(`${path}/target`), "");
  const left = [...Deno.readDirSync(`${path}/open`), ...Deno.readDirSync(path)];
  assert.deepEqual(
    left.map(({ name }) => name).sort(),
    ["data", "link", "open", "planted", "target"],
  );
});

Deno.test("serve makes a kubeconfig that it wrote private again", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/kubeconfig`;
  await Deno.writeTextFile(file, "current-context: xca-embedded\n");
  await Deno.chmod(file, 0o644);
  await using served = await serve("--write-kubeconfig", file);
  assert.equal(modeOf(file), 0o600);
  using client = createClient(await loadConfig({ kubeconfig: served.kubeconfig }));
  await client.get(Namespace, "default");
});
