/**
 * Logs, commands and ports of simulated pods by kubectl, through the embedded API server and through
 * kube-apiserver.
 */
import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/mod.ts";
import { type KubeletHandlers, startCluster } from "../../../lib/cluster/mod.ts";
import { Namespace, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { kubectlChild, kubectlOutcome } from "../../support/command_line/kubectl_process.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ kubectl: true });
const CONTROLLERS = ["scheduler", "kubelet", "node-lifecycle-controller"];

async function joined(stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const bytes of stdin) parts.push(bytes.slice());
  return await new Blob(parts).bytes();
}

/** The programs of the pods, and the archive that `tar` got last. */
interface Programs {
  readonly handlers: KubeletHandlers;
  archive: Uint8Array<ArrayBuffer>;
}

function programs(): Programs {
  const result: Programs = {
    archive: new Uint8Array(0),
    handlers: {
      exec: async ({ argv, stdin, stdout, stderr, container }) => {
        if (argv[0] === "tar" && argv.some((word) => /^-?xmf$/.test(word))) {
          result.archive = await joined(stdin);
          return 0;
        }
        if (argv[0] === "tar") {
          await stdout(result.archive);
          return 0;
        }
        if (argv[0] === "cat") {
          for await (const bytes of stdin) await stdout(bytes);
          return 0;
        }
        await stdout(`${container} runs ${argv.join(" ")}\n`);
        await stderr("and fails\n");
        return 7;
      },
      portForward: async ({ port, input, output }) => {
        if (port !== 80) throw new Error("nothing listens there");
        for await (const _ of input) {
          await output(new TextEncoder().encode(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
          ));
          return;
        }
      },
    },
  };
  return result;
}

const SCRIPT = JSON.stringify({
  app: {
    logs: ["first", { text: "second", stream: "stderr" }, {
      text: "tick",
      afterMs: 0,
      everyMs: 200,
    }],
  },
  side: { logs: ["beside"] },
  crash: { runMs: 0, exitCode: 3, logs: ["about to fail"] },
});

/** Creates a pod in a namespace of its own, and waits until it runs. */
async function runningPod(plane: Plane, namespace: string): Promise<void> {
  using client = createClient(plane.config);
  await client.create(Namespace, { metadata: { name: namespace } });
  await client.create(Pod, {
    metadata: {
      name: "web",
      namespace,
      annotations: { "kubelet.xca.k8s.kb.cx/script": SCRIPT },
    },
    spec: {
      containers: ["app", "side", "crash"].map((name) => ({ name, image: `${name}:1` })),
    },
  });
  await until(async () => {
    const { status } = await client.get(Pod, `${namespace}/web`);
    return status?.containerStatuses?.some(({ state }) =>
      state?.waiting?.reason === "CrashLoopBackOff"
    ) ?? false;
  }, "the pod's crash");
}

suite.test("kubectl reads and follows the logs of simulated containers", async (plane) => {
  using client = createClient(plane.config);
  await using _cluster = await startCluster({ client, controllers: CONTROLLERS });
  await runningPod(plane, "logs");
  const logs = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await kubectlOutcome(plane, ["logs", "-n", "logs", "web", ...args]);
    return stdout + stderr;
  };
  const ticks = /^first\nsecond\ntick\ntick\n/;
  await until(async () => ticks.test(await logs("-c", "app")), "two ticks in the log");
  assert.equal(await logs("-c", "side"), "beside\n");
  assert.match(await logs("--all-containers", "--prefix"), /^\[pod\/web\/side\] beside$/m);
  assert.equal(await logs("-c", "app", "--limit-bytes=9"), "first\nsec");
  assert.equal(await logs("-c", "app", "--tail=1"), "tick\n");
  assert.match(await logs("-c", "side", "--timestamps"), /^20\S+\.000000000Z beside\n$/);
  assert.equal(await logs("-c", "crash", "--previous"), "about to fail\n");
  assert.match(
    await logs("-c", "app", "--previous"),
    /previous terminated container "app" in pod "web" not found/,
  );
  assert.match(await logs("-c", "none"), /container none is not valid for pod web/);
  const follow = kubectlChild(plane, ["logs", "-n", "logs", "-f", "web", "-c", "app", "--tail=1"]);
  const reader = follow.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/^(tick\n){3}/.test(text)) text += (await reader.read()).value;
  await client.delete(Pod, "logs/web");
  while (!(await reader.read()).done); // The log ends with its container.
  await follow.stderr.cancel();
  assert.equal((await follow.status).code, 0);
});

suite.test("kubectl runs commands, copies files and attaches to simulated containers", async (plane) => {
  using client = createClient(plane.config);
  const { handlers } = programs();
  await using _cluster = await startCluster({
    client,
    handlers,
    controllers: CONTROLLERS,
  });
  await runningPod(plane, "commands");
  for (const webSockets of [true, false]) {
    const exec = async (args: readonly string[], stdin?: string): Promise<unknown[]> => {
      const outcome = await kubectlOutcome(plane, ["exec", "-n", "commands", ...args], {
        webSockets,
        ...(stdin !== undefined && { stdin }),
      });
      return [outcome.code, outcome.stdout, outcome.stderr];
    };
    assert.deepEqual(await exec(["web", "-c", "app", "--", "run", "it all"]), [
      7,
      "app runs run it all\n",
      "and fails\ncommand terminated with exit code 7\n",
    ]);
    assert.deepEqual(await exec(["-i", "web", "-c", "side", "--", "cat"], "to and fro"), [
      0,
      "to and fro",
      "",
    ]);
    const [code, , error] = await exec(["web", "-c", "crash", "--", "run"]);
    assert.equal(code, 1);
    assert.match(String(error), /container not found \("crash"\)/);
  }
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a.txt`, "a file");
    const there = await kubectlOutcome(plane, [
      "cp",
      `${folder}/a.txt`,
      "commands/web:/tmp/a.txt",
      "-c",
      "app",
    ]);
    assert.equal(there.code, 0, there.stderr);
    const back = await kubectlOutcome(plane, [
      "cp",
      "commands/web:a.txt",
      `${folder}/b.txt`,
      "-c",
      "app",
    ]);
    assert.equal(back.code, 0, back.stderr);
    assert.equal(await Deno.readTextFile(`${folder}/b.txt`), "a file");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const attach = kubectlChild(plane, ["attach", "-n", "commands", "web", "-c", "app"]);
  const reader = attach.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value?.slice(0, 5), "tick\n");
  attach.kill();
  while (!(await reader.read().catch(() => ({ done: true }))).done);
  await attach.stderr.cancel();
  await attach.status;
});

suite.test("kubectl forwards ports of simulated pods", async (plane) => {
  using client = createClient(plane.config);
  const { handlers } = programs();
  await using _cluster = await startCluster({
    client,
    handlers,
    controllers: CONTROLLERS,
  });
  await runningPod(plane, "ports");
  for (const webSockets of [true, false]) {
    const args = ["port-forward", "-n", "ports", "pod/web", ":80", "--address=127.0.0.1"];
    const child = kubectlChild(plane, args, { webSockets });
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const line = (await reader.read()).value ?? "";
    const port = /127\.0\.0\.1:(\d+) -> 80/.exec(line)?.[1];
    for (let times = 0; times < 3; times++) {
      assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "hello");
    }
    child.kill("SIGINT");
    while (!(await reader.read()).done);
    await child.stderr.cancel();
    await child.status;
  }
});
