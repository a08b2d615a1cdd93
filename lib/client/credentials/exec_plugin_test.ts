import assert from "node:assert/strict";
import { configErrorOf } from "../../../tests/kubeconfig/fake_host.ts";
import { PluginScript, V1 } from "../../../tests/client/plugin_script.ts";
import { systemClock, systemHost } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { ClusterInfo } from "./exec_info.ts";
import type { PluginCredential } from "./exec_output.ts";
import { ExecPlugin, type PluginHost } from "./exec_plugin.ts";
import type { ExecConfig } from "../config/plugin_config.ts";

const CANARY = "c4n4ry-s3cret-t0ken";
const CLUSTER: ClusterInfo = { server: "https://c.example" };
/** A test host without a terminal, also where the tests have one. */
const QUIET: PluginHost = { run: systemHost.run!, isTerminal: () => false };

function run(exec: ExecConfig, host = QUIET, cluster = CLUSTER): Promise<PluginCredential> {
  return new ExecPlugin(exec, cluster, { host, clock: systemClock })
    .run(new AbortController().signal);
}

async function refusal(exec: ExecConfig, host = QUIET): Promise<string> {
  const message = await configErrorOf(run(exec, host));
  assert.ok(!message.includes(CANARY), `a message never shows a secret: ${message}`);
  assert.match(message, /^Cannot get credentials from the plugin "[^"]+" of users\[name=bob\]/);
  return message;
}

Deno.test("a plugin's token, certificate and expiry", async () => {
  const ca = await CertificateAuthority.create("test", new Date());
  const alice = await ca.client("alice", []);
  await using plugin = await PluginScript.printing({
    token: "t",
    clientCertificateData: alice.cert,
    clientKeyData: alice.key,
    expirationTimestamp: "2030-01-02T03:04:05.5+01:00",
  });
  assert.deepEqual(await run(plugin.config()), {
    token: "t",
    certificate: { certData: alice.cert, keyData: alice.key },
    expires: new Date("2030-01-02T02:04:05.500Z"),
  });
});

Deno.test("a plugin gets arguments, variables and KUBERNETES_EXEC_INFO, of the cluster when asked", async () => {
  await using plugin = await PluginScript.printing({ token: "t" });
  await plugin.rewrite(
    'echo "$1|$2|$ONE" > "$dir/seen"; echo "$KUBERNETES_EXEC_INFO" > "$dir/info"; cat "$dir/output"',
  );
  const env = [{ name: "ONE", value: "0" }, { name: "ONE", value: "1 $2" }];
  await run(plugin.config({ args: ["a b", "*"], env }));
  assert.equal(await plugin.read("seen"), "a b|*|1 $2\n");
  const plain = { kind: "ExecCredential", apiVersion: V1, spec: { interactive: false } };
  assert.deepEqual(JSON.parse(await plugin.read("info")), plain);
  const told = plugin.config({ provideClusterInfo: true, clusterConfig: { audience: "x" } });
  await run(told, QUIET, {
    server: "https://c.example/k8s",
    tls: { caData: "PEM \u00fc", serverName: "api", insecureSkipVerify: true },
    proxyUrl: "http://proxy",
  });
  assert.deepEqual(JSON.parse(await plugin.read("info")), {
    ...plain,
    spec: {
      interactive: false,
      cluster: {
        server: "https://c.example/k8s",
        "tls-server-name": "api",
        "insecure-skip-tls-verify": true,
        "certificate-authority-data": "UEVNIMO8",
        "proxy-url": "http://proxy",
        config: { audience: "x" },
      },
    },
  });
});

Deno.test("I14 the error for a missing plugin has its name, and the install hint on one line", async () => {
  await using plugin = await PluginScript.printing({ token: CANARY });
  const gone = plugin.config({ command: `${plugin.dir}/gone` });
  assert.match(await refusal(gone), /gone" of .*: there is no such program; install it/);
  const hinted = {
    ...gone,
    command: "no-such-plugin",
    installHint: "Install:\n\n \u001b[1mbrew\u001b[0m x",
  };
  assert.match(
    await refusal(hinted),
    /"no-such-plugin" of .*program; to install it: Install: brew x$/,
  );
  await Deno.chmod(plugin.path, 0o644);
  assert.match(await refusal(plugin.config()), /it may not be executed; check the file's mode/);
});

Deno.test("I14 the error for a plugin without permission names the exact flag", async () => {
  await using plugin = await PluginScript.printing({ token: CANARY });
  const script = `
    import { createCredentials } from ${
    JSON.stringify(import.meta.resolve("./create_credentials.ts"))
  };
    const exec = ${JSON.stringify(plugin.config())};
    const credentials = createCredentials({ server: "https://c", credentials: { exec } });
    const outcome = await credentials.headers().then((pairs) => pairs[0][0], (error) => error.message);
    console.log(outcome);
  `;
  await Deno.writeTextFile(`${plugin.dir}/child.ts`, script);
  const child = async (...flags: string[]): Promise<string> => {
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--no-lock",
        `--config=${config}`,
        ...flags,
        `${plugin.dir}/child.ts`,
      ],
    }).output();
    return new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr);
  };
  const refused = await child();
  const flag = /may not run it; run this program with (--allow-run=\S+)$/.exec(refused)?.[1];
  assert.equal(flag, `--allow-run=${plugin.path}`, refused);
  assert.equal(await child(flag!), "Authorization");
});

Deno.test("I15 the error for an invalid credential has the reason, the user, the file and the program", async () => {
  const ca = await CertificateAuthority.create("test", new Date());
  const [alice, bob] = [await ca.client("alice", []), await ca.client("bob", [])];
  const wrong: [unknown, Record<string, unknown>, RegExp][] = [
    [
      { token: CANARY },
      { apiVersion: "client.authentication.k8s.io/v1beta1" },
      /it printed apiVersion "client.*v1beta1", and client.*\/v1 is configured; set apiVersion/,
    ],
    [{ token: CANARY }, { apiVersion: undefined }, /it printed no apiVersion, and/],
    [{ token: CANARY }, { kind: "Pod" }, /it printed kind "Pod", not ExecCredential/],
    [undefined, {}, /in its output has no status/],
    [null, {}, /in its output has no status/],
    [CANARY, {}, /the status in its output is not an object/],
    [{}, {}, /neither a token nor a certificate/],
    [{ token: "" }, {}, /neither a token nor a certificate/],
    [{ token: 7 }, {}, /status.token in its output is not a text/],
    [{ token: `${CANARY}\n x` }, {}, /cannot be sent: the token has a line break/],
    [{ clientKeyData: CANARY }, {}, /a client key without its certificate/],
    [{ token: "t", clientCertificateData: CANARY }, {}, /a client certificate without its key/],
    [
      { clientCertificateData: CANARY, clientKeyData: CANARY },
      {},
      /clientCertificateData: it holds no PEM/,
    ],
    [
      { clientCertificateData: alice.cert, clientKeyData: bob.key },
      {},
      /cannot be used: status.clientCertificateData: the private key of status.clientKeyData is not/,
    ],
    ...["soon", "", "2030-01-01", "2030-01-01t00:00:00z", "2030-02-30T00:00:00Z", 1_900_000_000]
      .map((expirationTimestamp): [Record<string, unknown>, Record<string, unknown>, RegExp] => [
        { token: CANARY, expirationTimestamp },
        {},
        /expirationTimestamp .* is not an RFC 3339 time/,
      ]),
  ];
  await using plugin = await PluginScript.printing({});
  for (const [status, fields, reason] of wrong) {
    await plugin.print(status, fields);
    assert.match(await refusal(plugin.config()), reason);
  }
});

Deno.test("I15 a missing kind, unknown fields and null are accepted, as in kubectl", async () => {
  await using plugin = await PluginScript.printing({});
  for (const fields of [{ kind: undefined }, { kind: "" }, { spec: {}, mood: 1 }]) {
    const nothing = { clientCertificateData: null, expirationTimestamp: null, mood: 2 };
    await plugin.print({ token: "t", ...nothing }, fields);
    assert.deepEqual(await run(plugin.config()), {
      token: "t",
      certificate: undefined,
      expires: undefined,
    });
  }
});

Deno.test("F53 I15 junk on standard output is never shown", async () => {
  await using plugin = await PluginScript.printing({});
  const junk: [string, RegExp][] = [
    ["", /it printed nothing/],
    [`echo ${CANARY}`, /its output is not JSON/],
    [`echo '{"token":"${CANARY}"'`, /its output is not JSON/],
    [`echo '["${CANARY}"]'`, /its output is not a JSON object/],
    [`echo '"${CANARY}"'`, /its output is not a JSON object/],
    ["head -c 100000 /dev/urandom", /its output is not JSON/],
    ["cat /dev/zero", /it wrote more than 1048576 bytes/],
  ];
  for (const [body, reason] of junk) {
    await plugin.rewrite(body);
    assert.match(await refusal(plugin.config()), reason);
  }
});

Deno.test("F53 the error for a plugin that fails has its exit code and the end of its output, without secrets", async () => {
  await using plugin = await PluginScript.printing({ token: CANARY });
  const fails = async (body: string, fields: Partial<ExecConfig> = {}): Promise<string> => {
    await plugin.rewrite(body);
    return await refusal(plugin.config(fields));
  };
  assert.match(
    await fails("exit 7"),
    /it ended with exit code 7 and printed nothing; run it by hand/,
  );
  const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJib2IifQ.c2ln";
  const message = await fails(
    `
    cat "$dir/output"
    echo "\u001b[31mSession expired\u001b[0m, run: aws sso login" >&2
    echo "used ${CANARY} and ${jwt} and Authorization: Bearer abc.def and password=hunter22" >&2
    echo "https://me:pw@idp/ env=$KEY" >&2
    exit 255`,
    { env: [{ name: "KEY", value: "value-of-key" }] },
  );
  assert.match(
    message,
    /code 255: Session expired, run: aws sso login used REDACTED and REDACTED and/,
  );
  for (const secret of [jwt, "abc.def", "hunter22", "me:pw", "value-of-key"]) {
    assert.ok(!message.includes(secret), `${secret} in ${message}`);
  }
  const long = await fails('yes "line of noise" | head -c 9000 >&2; echo the reason >&2; exit 1');
  assert.match(long, /code 1: \.\.\..*the reason; run it/);
  assert.ok(long.length < 1_200);
  assert.match(await fails("kill -9 $$"), /it ended with exit code 137/);
});

Deno.test("F53 a plugin that hangs is killed after its time-out, a minute by default", async () => {
  await using plugin = await PluginScript.printing({});
  await plugin.rewrite('echo $$ > "$dir/pid"; echo half; exec sleep 600');
  for (const [timeoutMs, waitMs] of [[undefined, 60_000], [5_000, 5_000]] as const) {
    const clock = new FakeClock();
    const exec = plugin.config(timeoutMs === undefined ? {} : { timeoutMs });
    const running = new ExecPlugin(exec, CLUSTER, { host: QUIET, clock })
      .run(new AbortController().signal);
    const failed = configErrorOf(running);
    let pid = "";
    while (!/\d\n/.test(pid)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      pid = await plugin.read("pid").catch(() => "");
    }
    await Deno.remove(`${plugin.dir}/pid`);
    await clock.advance(waitMs - 1);
    Deno.kill(Number(pid), "SIGCONT");
    await clock.advance(1);
    assert.match(
      await failed,
      new RegExp(`did not end within ${waitMs} ms and was killed; run it`),
    );
    assert.throws(() => Deno.kill(Number(pid), "SIGCONT"), "it is gone");
  }
});

Deno.test("F53 a plugin that prompts gets no standard input unless it is interactive", async () => {
  await using plugin = await PluginScript.printing({ token: "t" });
  await plugin.rewrite('read answer && exit 9; cat "$dir/output"');
  assert.equal((await run(plugin.config())).token, "t");
  const seen: unknown[] = [];
  const host = (terminal: boolean): PluginHost => ({
    isTerminal: (stream) => terminal && stream === "stdin",
    run: (command, options = {}) => {
      const info = JSON.parse(options.env!.KUBERNETES_EXEC_INFO!);
      seen.push([options.stdin, info.spec.interactive]);
      return systemHost.run!(command, { ...options, stdin: "null" });
    },
  });
  for (const interactiveMode of ["Never", "IfAvailable", "Always"] as const) {
    await run(plugin.config({ interactiveMode }), host(true));
  }
  await run(plugin.config({ interactiveMode: "IfAvailable" }), host(false));
  assert.deepEqual(seen, [["null", false], ["inherit", true], ["inherit", true], ["null", false]]);
  assert.match(
    await refusal(plugin.config({ interactiveMode: "Always" }), host(false)),
    /its interactiveMode is Always, and standard input is not a terminal; call from a terminal/,
  );
});

Deno.test("the error for a host that cannot run programs says so", async () => {
  await using plugin = await PluginScript.printing({});
  assert.match(await refusal(plugin.config(), {}), /this host runs no programs; give --token/);
});
