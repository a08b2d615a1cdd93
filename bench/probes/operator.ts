// The Xca operator on a real API server, driven by the bench as controller-runtime's is
// (`peers/controller/main.go`): it reads one command a line on standard input and answers each with
// one line of figures.
//
//   operate    start the operator; answers when its caches have synced
//   figures    CPU so far and memory
import { createInterface } from "node:readline";
import process from "node:process";
import { runOperator } from "@xca/operator/controller";
import { createClient, loadConfig } from "@xca/operator/client";
import { xcaOperator } from "@xca/operator/xca";
import { cpuMs, statusKb } from "./figures.ts";

const [, kubeconfig] = Deno.args;
using client = createClient(await loadConfig({ kubeconfig: kubeconfig! }));

async function answer(command: string): Promise<Record<string, number>> {
  const startMs = performance.now();
  if (command === "operate") await runOperator(xcaOperator, { client }).ready;
  else if (command !== "figures") throw new Error(`unknown command ${command}`);
  return {
    wallMs: performance.now() - startMs,
    processCpuMs: cpuMs(),
    rssKb: statusKb("VmRSS"),
    peakKb: statusKb("VmHWM"),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const figures = await answer(line);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(figures) + "\n"));
}
Deno.exit(0);
