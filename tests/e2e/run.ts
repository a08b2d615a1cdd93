/**
 * Runs Kubernetes' own end-to-end suite on kube-apiserver and on the embedded server, and says which
 * specs fail on the embedded one alone.
 *
 * ```sh
 * deno task e2e                        # the specs of specs.txt on both servers
 * deno task e2e --focus='CRD|Table'    # some of them
 * deno task e2e --embedded             # on the embedded server alone: specs.txt says what passes on the other
 * deno task e2e --pin                  # plays all that could pass without nodes, and writes specs.txt anew
 * ```
 *
 * It needs Go, kubectl, and a built control plane; the suite is built when it is first run.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { buildSuite } from "./build.ts";
import { startEmbedded, startReal, type SuiteServer } from "./servers.ts";
import { listSpecs, type Outcome, runSpecs } from "./suite.ts";

const SPECS = new URL("specs.txt", import.meta.url);
/** Specs that nothing without nodes, clouds or hours can pass. */
const IMPOSSIBLE =
  /\[Slow\]|\[Driver:|\[Testpattern:|\[sig-windows\]|\[sig-storage\] (In-tree|CSI) Volumes|NodeFeature|FeatureGate:|\[Alpha\]/;
/** So long a spec may take when it is known to pass, in milliseconds; specs poll in long steps. */
const LIMIT_MS = 240_000;
/** The same while all specs are tried, most of which wait for pods that nobody runs. */
const PIN_LIMIT_MS = 60_000;

const { values } = parseArgs({
  options: {
    focus: { type: "string", default: "" },
    embedded: { type: "boolean", default: false },
    pin: { type: "boolean", default: false },
    workers: { type: "string" },
  },
});

async function main(): Promise<void> {
  const program = await buildSuite();
  const folder = await Deno.makeTempDir({ prefix: "xca-e2e-" });
  const focus = new RegExp(values.focus);
  const play = async (
    label: string,
    names: readonly string[],
    start: () => Promise<SuiteServer>,
    limitMs = LIMIT_MS,
    workers = 4,
  ): Promise<Outcome[]> => {
    await using server = await start();
    const { kubeconfig } = server;
    const place = await Deno.makeTempDir({ dir: folder, prefix: `${label}-` });
    const options = { program, kubeconfig, folder: place, limitMs };
    const onOutcome = ({ name, state }: Outcome): void => say(`${label}: ${state}: ${name}`);
    return await runSpecs(names, {
      ...options,
      workers: Number(values.workers ?? workers),
      onOutcome,
    });
  };

  if (values.pin) {
    const all = await listSpecs(program, folder);
    const names = all.filter((name) => !IMPOSSIBLE.test(name) && focus.test(name));
    const outcomes = await play("kube-apiserver", names, startReal, PIN_LIMIT_MS, 16);
    const passed = outcomes.filter(hasPassed).map(({ name }) => name).sort();
    await Deno.writeTextFile(SPECS, passed.map((name) => `${name}\n`).join(""));
    return say(`${passed.length} of ${names.length} specs pass on kube-apiserver`);
  }

  const listed = (await Deno.readTextFile(SPECS)).split("\n").filter((name) => name !== "");
  const names = listed.filter((name) => focus.test(name));
  const real = values.embedded ? undefined : await play("kube-apiserver", names, startReal);
  const expected = real ? real.filter(hasPassed).map(({ name }) => name) : names;
  const embedded = await play("embedded", expected, () => startEmbedded(folder));
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
