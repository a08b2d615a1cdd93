/**
 * Runs specs of the suite, each in a process of its own, so that a hanging spec can be ended alone.
 *
 * @module
 */
import { join } from "node:path";

/** The outcome of a spec. */
export interface Outcome {
  readonly name: string;
  readonly state: "passed" | "skipped" | "failed" | "timed out";
  /** The suite's words for a failure, and the file with all that it printed. */
  readonly detail: string;
}

/** Options for {@linkcode runSpecs}. */
export interface RunOptions {
  /** The suite's program. */
  readonly program: string;
  /** The file that leads to the server as its administrator. */
  readonly kubeconfig: string;
  /** A folder for reports and output. */
  readonly folder: string;
  /** The timeout of one spec, in milliseconds. */
  readonly limitMs: number;
  /** The number of specs that run at once; serial specs never run beside others. */
  readonly workers: number;
  /** Told of each spec that ended. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

interface SpecReport {
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

/** The names of all specs. @throws {Error} When the program fails. */
export async function listSpecs(program: string, folder: string): Promise<string[]> {
  const report = join(folder, "all.json");
  const { success } = await new Deno.Command(program, {
    args: ["--ginkgo.dry-run", "--provider=skeleton", `--ginkgo.json-report=${report}`],
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`Cannot list the specs of ${program}: it ended with an error`);
  return (await readReports(report)).map(nameOf);
}

/** Runs the specs of these names, and returns how each ended, in the order of the names. */
export async function runSpecs(names: readonly string[], options: RunOptions): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const runAll = async (some: readonly string[], workers: number): Promise<void> => {
    const waiting = [...some];
    const worker = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const outcome = await runSpec(name, options);
        outcomes.set(name, outcome);
        options.onOutcome?.(outcome);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  };
  await runAll(names.filter((name) => !isSerial(name)), options.workers);
  await runAll(names.filter(isSerial), 1);
  return names.map((name) => outcomes.get(name)!);
}

/** Reports whether a spec is felt by all others. */
function isSerial(name: string): boolean {
  return /\[(Serial|Disruptive)\]/.test(name);
}

async function runSpec(name: string, options: RunOptions): Promise<Outcome> {
  const { program, kubeconfig, folder, limitMs } = options;
  const place = await Deno.makeTempDir({ dir: folder, prefix: "spec-" });
  const report = join(place, "report.json");
  const log = join(place, "output.txt");
  const command = new Deno.Command(program, {
    args: [
      // The suite's name stands before that of the spec.
      `--ginkgo.focus=^Kubernetes e2e suite ${literal(name)}$`,
      "--ginkgo.no-color",
      "--ginkgo.vv",
      `--ginkgo.json-report=${report}`,
      `--kubeconfig=${kubeconfig}`,
      "--provider=skeleton",
      "--num-nodes=0",
      "--allowed-not-ready-nodes=-1",
      "--e2e-verify-service-account=false",
      "--disable-log-dump",
      "--dump-logs-on-failure=false",
      `--e2e-output-dir=${place}`,
    ],
    cwd: place,
    stdout: "piped",
    stderr: "piped",
  });
  const process = command.spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill("SIGKILL");
  }, limitMs);
  const { stdout, stderr } = await process.output();
  clearTimeout(timer);
  await Deno.writeFile(log, stdout);
  await Deno.writeFile(log, stderr, { append: true });
  if (isLate) return { name, state: "timed out", detail: log };
  const ran = (await readReports(report)).filter(({ LeafNodeType, State }) =>
    LeafNodeType !== "It" || State !== "skipped"
  );
  const failed = ran.find(({ State }) => State !== "passed" && State !== "skipped");
  if (failed) {
    return { name, state: "failed", detail: `${failed.Failure?.Message ?? failed.State}\n${log}` };
  }
  const passed = ran.some(({ LeafNodeType }) => LeafNodeType === "It");
  return { name, state: passed ? "passed" : "skipped", detail: log };
}

async function readReports(path: string): Promise<SpecReport[]> {
  const text = await Deno.readTextFile(path).catch(() => "[]");
  const suites = JSON.parse(text) as { SpecReports: SpecReport[] }[];
  return suites.flatMap(({ SpecReports }) => SpecReports);
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText }: SpecReport): string {
  return [...ContainerHierarchyTexts ?? [], LeafNodeText].join(" ");
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
