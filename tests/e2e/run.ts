/**
 * Runs Kubernetes' own end-to-end suite on kube-apiserver and on the embedded server, and reports the
 * specs that fail on the embedded one alone.
 *
 * ```sh
 * deno task e2e                        # the specs of specs.txt on both servers
 * deno task e2e --cluster              # those of specs_cluster.txt, with controllers, scheduler and nodes
 * deno task e2e --focus='CRD|Table'    # a part of them
 * deno task e2e --embedded             # on the embedded server alone
 * deno task e2e --pin [--cluster]      # tries all specs on kube-apiserver, and lists those that pass
 * ```
 *
 * It needs Go, kubectl, and a built control plane (`deno task control-plane:build`, for `--cluster`
 * with `--cluster` too); the suite is built by the first run.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { buildSuite } from "./build.ts";
import { startEmbedded, startReal, type SuiteServer, type SuiteServerOptions } from "./servers.ts";
import { listSpecs, type Outcome, runSpecs } from "./suite.ts";

/** Specs that pass neither without real nodes or clouds nor within minutes. */
const IMPOSSIBLE =
  /\[Slow\]|\[Driver:|\[Testpattern:|\[sig-windows\]|\[sig-storage\] (In-tree|CSI) Volumes|NodeFeature|FeatureGate:|\[Alpha\]/;
/** The timeout of a spec that is known to pass, in milliseconds; specs poll in long steps. */
const LIMIT_MS = 240_000;
/** The timeout while all specs are tried, most of which wait for containers that nothing runs. */
const PIN_LIMIT_MS = 60_000;
/** The same with a cluster, whose controllers need their time. */
const PIN_CLUSTER_LIMIT_MS = 120_000;

const { values } = parseArgs({
  options: {
    focus: { type: "string", default: "" },
    embedded: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    pin: { type: "boolean", default: false },
    workers: { type: "string" },
  },
});

const { cluster } = values;
const SPECS = new URL(cluster ? "specs_cluster.txt" : "specs.txt", import.meta.url);

async function main(): Promise<void> {
  const program = await buildSuite();
  const folder = await Deno.makeTempDir({ prefix: "xca-e2e-" });
  const focus = new RegExp(values.focus);
  const play = async (
    label: string,
    names: readonly string[],
    start: (options: SuiteServerOptions) => Promise<SuiteServer>,
    limitMs = LIMIT_MS,
    workers = 4,
  ): Promise<Outcome[]> => {
    const own = await Deno.makeTempDir({ dir: folder, prefix: `${label}-` });
    await using server = await start({ folder: own, cluster });
    const { kubeconfig } = server;
    return await runSpecs(names, {
      program,
      kubeconfig,
      folder: own,
      limitMs,
      workers: Number(values.workers ?? workers),
      onOutcome: ({ name, state }) => say(`${label}: ${state}: ${name}`),
    });
  };

  if (values.pin) {
    const all = await listSpecs(program, folder);
    const names = all.filter((name) => !IMPOSSIBLE.test(name) && focus.test(name));
    const pinLimitMs = cluster ? PIN_CLUSTER_LIMIT_MS : PIN_LIMIT_MS;
    const outcomes = await play("kube-apiserver", names, startReal, pinLimitMs, 16);
    const passed = outcomes.filter(hasPassed).map(({ name }) => name).sort();
    await Deno.writeTextFile(SPECS, passed.map((name) => `${name}\n`).join(""));
    return say(`${passed.length} of ${names.length} specs pass on kube-apiserver`);
  }

  const listed = (await Deno.readTextFile(SPECS)).split("\n").filter((name) => name !== "");
  const names = listed.filter((name) => focus.test(name));
  const real = values.embedded ? undefined : await play("kube-apiserver", names, startReal);
  const expected = real ? real.filter(hasPassed).map(({ name }) => name) : names;
  const embedded = await play("embedded", expected, startEmbedded);
  const failing = embedded.filter((outcome) => !hasPassed(outcome));
  for (const { name, state, detail } of failing) say(`\n${state}: ${name}\n${detail}`);
  if (real) say(`\n${expected.length} of ${names.length} specs pass on kube-apiserver`);
  say(
    `${expected.length - failing.length} of these ${expected.length} pass on the embedded server`,
  );
  if (failing.length > 0 || expected.length < names.length) Deno.exitCode = 1;
}

function hasPassed({ state }: Outcome): boolean {
  return state === "passed";
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

await main();
