import { join } from "node:path";
import { bundle } from "../plugin/bundle.ts";
import { Program } from "./programs.ts";
import { RealCluster } from "./real_cluster.ts";
const cluster = await RealCluster.start(1);
await bundle(join(import.meta.dirname!, "probes", "operator.ts"), join(cluster.dir, "operator"));
const args = ["--kubeconfig", cluster.kubeconfig];
const p = new Program("ours", Deno.execPath(), [
  "run",
  "-A",
  "--quiet",
  "--v8-flags=--max-semi-space-size=1,--no-concurrent-recompilation",
  "--cpu-prof",
  "--cpu-prof-dir=/tmp/w/prof",
  "--no-config",
  join(cluster.dir, "operator", "operator.js"),
  ...args,
]);
await p.ask("operate");
for (let i = 0; i < 4; i++) {
  await cluster.removeXcas();
  await new Promise((r) => setTimeout(r, 300));
  const f0 = (await p.ask("figures")).processCpuMs!;
  await cluster.activations(1000, 200);
  console.log((await p.ask("figures")).processCpuMs! - f0);
}
await p[Symbol.asyncDispose]();
await Deno.copyFile(join(cluster.dir, "operator", "operator.js"), "/tmp/w/prof/operator.js").catch(
  () => {},
);
await cluster[Symbol.asyncDispose]();
