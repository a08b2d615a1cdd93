/**
 * Logs, exec, attach and port-forward through the real API server to a kubelet of the tests' own,
 * beside kubectl. Each runs twice: with a node to which the server passes WebSockets through (from
 * 1.36 on), and with one to which it speaks SPDY, as all servers before do.
 */
import assert from "node:assert/strict";
import {
  type Client,
  createClient,
  isBadRequest,
  isForbidden,
  isNotFound,
  mergePatch,
  podAttach,
  podExec,
  podExecOutput,
  podLogLines,
  podLogs,
  podPort,
  podPortForward,
  StreamBrokenError,
} from "../../../lib/client/mod.ts";
import { Namespace, Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";
import type { ControlPlane } from "../../../lib/testing/plane/control_plane.ts";
import { kubectlChild, kubectlOutcome } from "../../support/command_line/kubectl_process.ts";
import { StubKubelet } from "../../support/planes/stub_kubelet.ts";
import { realSuite } from "../suite.ts";

const suite = realSuite();
const NODES = ["websocket", "spdy"] as const;

interface Scene extends AsyncDisposable {
  readonly client: Client;
  readonly kubelet: StubKubelet;
}

/** A kubelet that serves both nodes, and a pod on each with the name of the node. */
async function setUp(plane: ControlPlane, namespace: string): Promise<Scene> {
  const ca = await CertificateAuthority.create("kubelet-ca", new Date());
  const kubelet = await StubKubelet.start(
    await ca.serving("kubelet", ["localhost"], ["127.0.0.1"]),
  );
  const client = createClient({ ...plane.config, namespace });
  await client.create(Namespace, { metadata: { name: namespace } });
  for (const name of NODES) {
    const node = kubelet.node(`${namespace}-${name}`, { webSockets: name === "websocket" });
    await client.create(Node, { metadata: node.metadata });
    await client.patchStatus(Node, node.metadata.name!, mergePatch({ status: node.status! }));
    await client.create(Pod, {
      metadata: { name },
      spec: {
        nodeName: node.metadata.name!,
        containers: [{ name: "app", image: "app", stdin: true, tty: false }],
      },
    });
    // kubectl attaches to a pod that runs, and forwards to none else.
    await client.patchStatus(Pod, `${namespace}/${name}`, mergePatch({ status: RUNNING }));
  }
  await client.create(Pod, {
    metadata: { name: "two" },
    spec: {
      nodeName: `${namespace}-websocket`,
      containers: [{ name: "a", image: "a" }, { name: "b", image: "b" }],
    },
  });
  return {
    client,
    kubelet,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await kubelet[Symbol.asyncDispose]();
    },
  };
}

const RUNNING = {
  phase: "Running",
  containerStatuses: [{
    name: "app",
    image: "app",
    imageID: "app",
    ready: true,
    restartCount: 0,
    started: true,
    state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
  }],
};

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

suite.test("podLogs() returns the output of kubectl logs, for every option", async (plane) => {
  await using scene = await setUp(plane, "logs");
  const { client, kubelet } = scene;
  const key = "logs/websocket/app";
  for (let second = 0; second < 20; second++) {
    const at = `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
    kubelet.log(key, { at, text: second === 7 ? "" : `line ${second} \u00e9\u2713` });
  }
  kubelet.log(`${key} (previous)`, { at: "2025-12-31T23:00:00Z", text: "the run before" });
  const cases = [
    [[], {}],
    [["--tail=3"], { tailLines: 3 }],
    [["--tail=3", "--timestamps"], { tailLines: 3, timestamps: true }],
    [["--previous"], { previous: true }],
    [["--limit-bytes=25"], { limitBytes: 25 }],
    [["--since-time=2026-01-01T00:00:15Z"], { sinceTime: "2026-01-01T00:00:15Z" }],
    [["--container=app"], { container: "app" }],
  ] as const;
  for (const [args, options] of cases) {
    const printed = await kubectlOutcome(plane, ["logs", "-n", "logs", "websocket", ...args]);
    assert.equal(printed.code, 0, printed.stderr);
    const log = await new Response(await podLogs(client, "logs/websocket", options)).text();
    assert.equal(log, printed.stdout, args.join(" "));
    assert(log.length > 0);
  }
  const lines = await Array.fromAsync(podLogLines(client, "logs/websocket", { tailLines: 14 }));
  assert.equal(lines.length, 14);
  assert.equal(lines[1], "");
  assert.equal(lines[13], "line 19 \u00e9\u2713");
  await podLogs(client, "logs/websocket", { sinceSeconds: 30 }).then((log) => log.cancel());
  assert.equal(kubelet.requests.at(-1)!.query.get("sinceSeconds"), "30");
  await assert.rejects(podLogs(client, "logs/none"), isNotFound);
  await assert.rejects(
    podLogs(client, "logs/two"),
    (error) => isBadRequest(error) && /a container name must be specified/.test(error.message),
  );
});

suite.test("podLogLines() follows a log until it ends, or until its reader stops", async (plane) => {
  await using scene = await setUp(plane, "follow");
  const { client, kubelet } = scene;
  const key = "follow/websocket/app";
  kubelet.log(key, { at: "2026-01-01T00:00:00Z", text: "first" });
  const seen: string[] = [];
  for await (const line of podLogLines(client, "follow/websocket", { follow: true })) {
    seen.push(line);
    if (seen.length === 1) kubelet.log(key, { at: "2026-01-01T00:00:01Z", text: "second" });
    else kubelet.endLogs();
  }
  assert.deepEqual(seen, ["first", "second"]);
  for await (const line of podLogLines(client, "follow/websocket", { follow: true })) {
    assert.equal(line, "first");
    break;
  }
  const abort = new AbortController();
  const reading = Array.fromAsync(
    podLogLines(client, "follow/websocket", { follow: true, signal: abort.signal }),
  );
  const reason = new Error("enough");
  setTimeout(() => abort.abort(reason), 50);
  await assert.rejects(reading, (error) => error === reason);
});

for (const name of NODES) {
  suite.test(`podExec() over ${name}: outputs, exit codes and errors of kubectl exec`, async (plane) => {
    await using scene = await setUp(plane, `exec-${name}`);
    const { client, kubelet } = scene;
    const key = `exec-${name}/${name}`;
    const commands = [
      ["args", "one", "", "two words", "--flag", "\u00e9&=%"],
      ["fail", "3"],
      ["flood", "300000"],
    ];
    for (const command of commands) {
      const theirs = await kubectlOutcome(plane, [
        ...["exec", "-n", `exec-${name}`, name, "--"],
        ...command,
      ]);
      const ours = await podExecOutput(client, key, { command });
      assert.equal(text(ours.stdout), theirs.stdout);
      assert.equal(ours.code, theirs.code);
      assert.equal(ours.success, theirs.code === 0);
      if (ours.success) assert.equal(text(ours.stderr), theirs.stderr);
      else assert(theirs.stderr.startsWith(text(ours.stderr)), theirs.stderr);
    }
    const passed = name === "websocket" && await serverMinor(client) >= 36;
    assert.equal(kubelet.requests.at(-1)?.protocol, passed ? "v5.channel.k8s.io" : "SPDY/3.1");
    const input = "some input\n".repeat(20_000);
    const counted = await podExecOutput(client, key, { command: ["count"], stdin: input });
    assert.equal(text(counted.stdout), `${input.length}\n`);
    const given = await podExecOutput(client, key, { command: ["cat"], stdin: input });
    const args = ["exec", "-i", "-n", `exec-${name}`, name, "--", "cat"];
    const theirs = await kubectlOutcome(plane, args, { stdin: input });
    assert.equal(text(given.stdout), theirs.stdout);
    await assert.rejects(
      podExecOutput(client, key, { command: ["missing"] }),
      /executable file not found in \$PATH/,
    );
  });

  suite.test(`podExec() over ${name}: a terminal has a size, and no stderr of its own`, async (plane) => {
    await using scene = await setUp(plane, `tty-${name}`);
    const { client } = scene;
    using shell = await podExec(client, `tty-${name}/${name}`, {
      command: ["size"],
      stdin: true,
      tty: true,
    });
    await shell.resize({ columns: 132, rows: 43 });
    assert.equal(await new Response(shell.stdout).text(), "tty 132x43\n");
    assert.equal(await new Response(shell.stderr).text(), "");
    assert.deepEqual(await shell.status, { success: true, code: 0 });
  });

  suite.test(`podExec() over ${name}: a slow reader slows the process down`, async (plane) => {
    await using scene = await setUp(plane, `slow-${name}`);
    const { client } = scene;
    const total = 8_000_000;
    using running = await podExec(client, `slow-${name}/${name}`, {
      command: ["flood", String(total)],
    });
    const reader = running.stdout.getReader();
    let bytes = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      await new Promise((resolve) => setTimeout(resolve));
    }
    assert.equal(bytes, total);
    assert.equal((await running.status).code, 0);
  });

  suite.test(`podAttach() over ${name} passes the input and output of kubectl attach`, async (plane) => {
    await using scene = await setUp(plane, `attach-${name}`);
    const { client, kubelet } = scene;
    using attached = await podAttach(client, `attach-${name}/${name}`, { stdin: true });
    const writer = attached.stdin.getWriter();
    await writer.write(new TextEncoder().encode("to the container\n"));
    await writer.close();
    assert.equal(await new Response(attached.stdout).text(), "to the container\n");
    assert.equal((await attached.status).code, 0);
    assert.equal(kubelet.requests.at(-1)!.path, `/attach/attach-${name}/${name}/app`);
    const args = ["attach", "-q", "-i", "-n", `attach-${name}`, name];
    const theirs = await kubectlOutcome(plane, args, { stdin: "to the container\n" });
    assert.equal(theirs.stdout, "to the container\n", theirs.stderr);
  });

  suite.test(`podPortForward() beside kubectl port-forward, on the ${name} node`, async (plane) => {
    await using scene = await setUp(plane, `ports-${name}`);
    const { client, kubelet } = scene;
    const big = "x".repeat(1_000_000);
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => new Response(`${new URL(request.url).pathname} ${await request.text()}`),
    );
    kubelet.ports.set(8080, server.addr.port);
    const post = async (port: number): Promise<string[]> => {
      using http = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      return await Promise.all(["a", "b", "c"].map(async (path) => {
        const url = `http://127.0.0.1:${port}/${path}`;
        const response = await fetch(url, { method: "POST", body: big, client: http });
        return await response.text();
      }));
    };
    const failures: unknown[] = [];
    const options = { port: 8080, onError: (error: unknown) => void failures.push(error) };
    const expected = ["a", "b", "c"].map((path) => `/${path} ${big}`);
    {
      await using ours = await podPortForward(client, `ports-${name}/${name}`, options);
      assert.deepEqual(await post(ours.port), expected);
    }
    assert.deepEqual(failures, []);
    for (const webSockets of [true, false]) {
      const args = ["port-forward", "-n", `ports-${name}`, name, ":8080"];
      const theirs = kubectlChild(plane, args, { webSockets });
      const { port, ended } = await forwardedPort(theirs);
      assert.deepEqual(await post(port), expected, `${webSockets}`);
      theirs.kill("SIGTERM");
      await Promise.all([theirs.status, theirs.stderr.cancel(), ended]);
    }
    using closed = await podPort(client, `ports-${name}/${name}`, 81);
    await assert.rejects(new Response(closed.readable).text(), (error) => {
      assert(error instanceof StreamBrokenError);
      assert.match(error.message, /port 81 of pod .*failed to connect to localhost:81/);
      return true;
    });
  });
}

/** The port that `kubectl port-forward` says it listens on, and the end of what it says. */
async function forwardedPort(
  child: Deno.ChildProcess,
): Promise<{ readonly port: number; readonly ended: Promise<void> }> {
  let said = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    said += next.value;
    const [, port] = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
    if (port === undefined) continue;
    const ended = (async () => {
      while (!(await reader.read()).done);
    })();
    return { port: Number(port), ended };
  }
  throw new Error(`kubectl port-forward ended: ${await new Response(child.stderr).text()}`);
}

async function serverMinor(client: Client): Promise<number> {
  const { minor } = await client.requestJson<{ minor: string }>({ path: "/version" });
  return parseInt(minor);
}

suite.test("a refused upgrade reports its Status: 404, 403 and 400, like kubectl", async (plane) => {
  await using scene = await setUp(plane, "refused");
  const { client } = scene;
  const command = ["args"];
  for (
    const [args, open] of [
      [["exec", "none", "--", "args"], () => podExec(client, "refused/none", { command })],
      [["attach", "none"], () => podAttach(client, "refused/none")],
    ] as const
  ) {
    await assert.rejects(open(), (error) => {
      assert(isNotFound(error));
      assert.equal(error.toString(), 'Error from server (NotFound): pods "none" not found');
      assert.equal(error.method, "CONNECT");
      return true;
    });
    const theirs = await kubectlOutcome(plane, ["-n", "refused", ...args]);
    assert.equal(theirs.stderr.trim(), 'Error from server (NotFound): pods "none" not found');
  }
  await assert.rejects(podPort(client, "refused/none", 80), isNotFound);
  await assert.rejects(
    podExec(client, "refused/two", { command, container: "c" }),
    (error) => isBadRequest(error) && /container c is not valid for pod two/.test(error.message),
  );
  using nobody = createClient((await plane.addUser("stream-nobody")).config);
  for (
    const open of [
      () => podExec(nobody, "refused/websocket", { command }),
      () => podAttach(nobody, "refused/websocket"),
      () => podPort(nobody, "refused/websocket", 80),
    ]
  ) {
    await assert.rejects(open(), (error) => {
      assert(isForbidden(error));
      assert.match(error.message, /User "stream-nobody" cannot (create|get) resource "pods\//);
      return true;
    });
  }
});

suite.test("impersonation reaches the upgrade, every group of it", async (plane) => {
  await using scene = await setUp(plane, "masked");
  const impersonate = { user: "alice", groups: ["plain", "system:masters"] };
  using masked = createClient({ ...plane.config, impersonate });
  const { code } = await podExecOutput(masked, "masked/websocket", { command: ["args"] });
  assert.equal(code, 0);
  assert.equal(scene.kubelet.requests.length, 1);
  using plain = createClient({
    ...plane.config,
    impersonate: { user: "alice", groups: ["plain"] },
  });
  await assert.rejects(
    podExec(plain, "masked/websocket", { command: ["args"] }),
    (error) => isForbidden(error) && /User "alice"/.test(error.message),
  );
});

suite.test("an aborted exec, a closed client and a dead server each end the streams", async (plane) => {
  await using scene = await setUp(plane, "ended");
  const { kubelet } = scene;
  const command = ["cat"];
  const abort = new AbortController();
  const first = createClient(plane.config);
  using aborted = await podExec(first, "ended/websocket", {
    command,
    stdin: true,
    signal: abort.signal,
  });
  using closed = await podExec(first, "ended/websocket", { command, stdin: true });
  abort.abort(new Error("enough"));
  await assert.rejects(aborted.status, /enough/);
  first[Symbol.dispose]();
  await assert.rejects(closed.status, StreamBrokenError);
  await assert.rejects(new Response(closed.stdout).text(), StreamBrokenError);
  using killed = await podExec(scene.client, "ended/websocket", { command, stdin: true });
  await plane.killApiserver();
  await assert.rejects(killed.status, StreamBrokenError);
  await plane.startApiserver();
  await Promise.all(kubelet.running);
});
