import assert from "node:assert/strict";
import { runCli } from "../../cli/app.ts";
import { testContext } from "../support/cli_context.ts";
import { isOnPath } from "../support/is_on_path.ts";
import { until } from "../support/until.ts";

/** A cluster of `kubectl xca serve`, and kubectl for it. */
interface Served extends AsyncDisposable {
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
