// The Xca operator on a real API server, which the bench drives as it drives that of
// controller-runtime (`peers/controller/main.go`): it reads one command a line on standard input
// and answers each with one line of figures.
//
//   operate <n>    start the operator in a manager, with n workers; answers after its caches synced
//   figures        CPU so far and memory
import { createInterface } from "node:readline";
import process from "node:process";
import { createClient, loadConfig } from "@xca/operator/client";
import { createManager } from "@xca/operator/manager";
import { xcaOperator } from "@xca/operator/xca";
import { cpuMs, statusKb } from "./figures.ts";

const [, kubeconfig] = Deno.args;
using client = createClient(await loadConfig({ kubeconfig: kubeconfig! }));

async function answer(command: string, workers = 1): Promise<Record<string, number>> {
  const startMs = performance.now();
  if (command === "operate") {
    const manager = createManager({ client, name: "bench" });
    const { ready } = manager.add(xcaOperator, { workers });
    void manager.run();
    await ready;
  } else if (command !== "figures") throw new Error(`unknown command ${command}`);
  return {
    wallMs: performance.now() - startMs,
    processCpuMs: cpuMs(),
    rssKb: statusKb("VmRSS"),
    peakKb: statusKb("VmHWM"),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, workers] = line.split(" ");
  const figures = await answer(command!, Number(workers));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(figures) + "\n"));
}
Deno.exit(0);
