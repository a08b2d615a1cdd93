import assert from "node:assert/strict";
import { runCli } from "../../../cli/app.ts";
import { testContext } from "../../support/command_line/cli_context.ts";
import { isOnPath } from "../../support/command_line/is_on_path.ts";
import { until } from "../../support/until.ts";

/** A cluster of `kubectl xca serve`, and kubectl for it. */
interface Served extends AsyncDisposable {
  /** A folder that is removed with the cluster. */
  readonly folder: string;
  /** Runs kubectl, and returns its output. @throws {Error} When it fails. */
  kubectl(...args: string[]): Promise<string>;
}

async function serve(...flags: string[]): Promise<Served> {
  const context = testContext();
  const folder = await Deno.makeTempDir();
  const file = `${folder}/kubeconfig`;
  const done = runCli(["serve", "--write-kubeconfig", file, ...flags], context);
  await until(() => context.stdout().includes("KUBECONFIG="), "kubectl xca serve");
  return {
    folder,
    kubectl: async (...args) => {
      const { code, stdout, stderr } = await new Deno.Command("kubectl", {
        args: [`--kubeconfig=${file}`, `--cache-dir=${folder}/cache`, ...args],
        stderr: "piped",
        stdout: "piped",
      }).output();
      const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      if (code !== 0) throw new Error(`Cannot kubectl ${args.join(" ")}: exit ${code}: ${error}`);
      return out!;
    },
    async [Symbol.asyncDispose]() {
      context.interrupt("SIGINT");
      await done;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const LONG = "--timeout=60s";

Deno.test({
  name: "kubectl rolls out, undoes, scales, waits and drains on the cluster of kubectl xca serve",
  ignore: !isOnPath("kubectl"),
  fn: async () => {
    await using served = await serve();
    const { kubectl } = served;
    const images = (): Promise<string> =>
      kubectl("get", "pods", "-o", "jsonpath={.items[*].spec.containers[0].image}");
    await kubectl("create", "deployment", "web", "--image=web:1", "--replicas=3");
    assert.match(await kubectl("rollout", "status", "deploy/web", LONG), /successfully rolled out/);
    assert.equal(await images(), "web:1 web:1 web:1");
    const components = await kubectl("get", "componentstatuses", "--no-headers");
    assert.equal(components.match(/\bHealthy\b/g)?.length, 3, components);
    await kubectl("set", "image", "deploy/web", "web=web:2");
    await kubectl("rollout", "status", "deploy/web", LONG);
    await kubectl("wait", "pods", "--for=delete", "-l", "app=web,absent", LONG);
    assert.match(await kubectl("rollout", "history", "deploy/web"), /^1 .*\n2 /m);
    await kubectl("rollout", "undo", "deploy/web");
    await kubectl("rollout", "status", "deploy/web", LONG);
    await until(async () => await images() === "web:1 web:1 web:1", "the old image");
    await kubectl("scale", "deploy/web", "--replicas=5");
    await kubectl("wait", "--for=jsonpath={.status.availableReplicas}=5", "deploy/web", LONG);
    assert.match(await kubectl("drain", "node-1", LONG), /node\/node-1 drained/);
    await kubectl("wait", "--for=jsonpath={.status.availableReplicas}=5", "deploy/web", LONG);
    const nodes = await kubectl("get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}");
    assert(!nodes.includes("node-1"), nodes);
    await kubectl("uncordon", "node-1");
    await kubectl("delete", "deploy", "web");
    await until(async () => await images() === "", "the end of the pods");
  },
});

/** A DaemonSet as kubectl takes it. */
const AGENT = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: {
      metadata: { labels: { app: "agent" } },
      spec: { containers: [{ name: "agent", image: "agent:1" }] },
    },
  },
});

Deno.test({
  name: "kubectl rolls out and undoes a DaemonSet, and drains only what a disruption budget allows",
  ignore: !isOnPath("kubectl"),
  fn: async () => {
    await using served = await serve();
    const { kubectl, folder } = served;
    const file = `${folder}/agent.json`;
    await Deno.writeTextFile(file, AGENT);
    await kubectl("apply", "-f", file);
    const rolledOut = (): Promise<string> => kubectl("rollout", "status", "ds/agent", LONG);
    assert.match(await rolledOut(), /daemon set "agent" successfully rolled out/);
    const images = (): Promise<string> =>
      kubectl(
        "get",
        "pods",
        "-l",
        "app=agent",
        "-o",
        "jsonpath={.items[*].spec.containers[0].image}",
      );
    assert.equal(await images(), "agent:1 agent:1 agent:1");
    await kubectl("set", "image", "ds/agent", "agent=agent:2");
    await rolledOut();
    assert.match(await kubectl("rollout", "history", "ds/agent"), /^1 .*\n2 /m);
    assert.match(await kubectl("rollout", "history", "ds/agent", "--revision=1"), /agent:1/);
    await kubectl("rollout", "undo", "ds/agent");
    await rolledOut();
    await until(async () => await images() === "agent:1 agent:1 agent:1", "the old image");

    await kubectl("create", "deployment", "web", "--image=web:1", "--replicas=2");
    await kubectl("rollout", "status", "deploy/web", LONG);
    await kubectl(
      "create",
      "poddisruptionbudget",
      "web",
      "--selector=app=web",
      "--min-available=2",
    );
    await kubectl("wait", "--for=jsonpath={.status.expectedPods}=2", "pdb/web", LONG);
    const [node] = (await kubectl(
      "get",
      "pods",
      "-l",
      "app=web",
      "-o",
      "jsonpath={.items[*].spec.nodeName}",
    )).split(" ");
    const drain = (timeout: string): Promise<string> =>
      kubectl("drain", node!, "--ignore-daemonsets", `--timeout=${timeout}`);
    await assert.rejects(drain("3s"), /Cannot evict pod as it would violate the pod's disruption/);
    await kubectl("scale", "deploy/web", "--replicas=3");
    assert.match(await drain("60s"), /drained/);
    await kubectl("wait", "--for=jsonpath={.status.availableReplicas}=3", "deploy/web", LONG);
    assert.equal((await images()).split(" ").length, 3);
  },
});
