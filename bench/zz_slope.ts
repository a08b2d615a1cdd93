import { join } from "node:path";
import { bundle } from "../plugin/bundle.ts";
import { buildGoPrograms, Program } from "./programs.ts";
import { RealCluster } from "./real_cluster.ts";
const go = (await buildGoPrograms(console.error))!;
const cluster = await RealCluster.start(1);
await bundle(join(import.meta.dirname!, "probes", "operator.ts"), join(cluster.dir, "operator"));
const V8 = Deno.args[0] ?? "--v8-flags=--max-semi-space-size=1,--no-concurrent-recompilation";
const rate = Number(Deno.args[1] ?? 200);
for (const kind of ["go", "ours", "go", "ours"]) {
  await cluster.removeXcas();
  const args = ["--kubeconfig", cluster.kubeconfig];
  await using p = kind === "ours"
    ? new Program(kind, Deno.execPath(), [
      "run",
      "-A",
      "--quiet",
      V8,
      "--no-config",
      join(cluster.dir, "operator", "operator.js"),
      ...args,
    ])
    : new Program(kind, go.controller, args);
  await p.ask("operate");
  let last = (await p.ask("figures")).processCpuMs!;
  const out = [`start ${last.toFixed(0)}`];
  for (let i = 0; i < 6; i++) {
    await cluster.removeXcas();
    await new Promise((r) => setTimeout(r, 500));
    const f0 = (await p.ask("figures")).processCpuMs!;
    const t = await cluster.activations(1000, rate);
    const f = await p.ask("figures");
    out.push(
      `${(f.processCpuMs! - f0).toFixed(0)}us(p50 ${t[500].toFixed(1)} p99 ${t[990].toFixed(0)})`,
    );
  }
  console.log(kind, out.join(" "));
}
await cluster[Symbol.asyncDispose]();
