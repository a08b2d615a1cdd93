import { dirname, join } from "node:path";
import { systemClock } from "@xca/apimachinery/base";
import {
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "../lib/testing/plane/control_plane_assets.ts";
import { root } from "../tests/support/packaging/packaging.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { cacheDir } from "./support/programs.ts";

/** The version of kubebuilder that is measured. */
const KUBEBUILDER = "v4.10.1";
const MODULE = "sigs.k8s.io/kubebuilder/v4";
const NAME = "from `kubectl xca init` to a first green test, beside kubebuilder";
/** The largest number of rounds: one of kubebuilder takes up to a minute. */
const MOST_ROUNDS = 3;

/**
 * Measures the time from an empty folder to a first green test of a new project, beside
 * kubebuilder's `init`, `create api` and the steps of `make test`. Both have all packages in their
 * caches, and kubebuilder the API server of this machine instead of a downloaded one.
 */
export async function projectRows(context: BenchContext): Promise<Row[]> {
  context.say("new projects");
  const ours = async (): Promise<number> => {
    await using folder = await temporaryFolder();
    return await secondsOf(folder.path, [
      [join(root.pathname, "plugin/kubectl-xca"), "init", "shop", "--kind=Order"],
      ["env", "-C", "shop", "deno", "test"],
    ]);
  };
  await ours(); // Fills the caches.
  if (context.quick) {
    const seconds = (await ours()).toFixed(1);
    return [skippedRow(NAME, `${seconds} s; kubebuilder's takes minutes: deno task bench project`)];
  }
  const peer = await kubebuilder(context);
  if (typeof peer === "string") {
    return [skippedRow(NAME, `${(await ours()).toFixed(1)} s; ${peer}`)];
  }
  await peer();
  const pairs: [number, number][] = [];
  const rounds = Math.min(context.rounds ?? MOST_ROUNDS, MOST_ROUNDS);
  for (let round = 0; round < rounds; round++) pairs.push([await ours(), await peer()]);
  return [row(NAME, "s", pairs)];
}

/**
 * Returns a function that measures kubebuilder once, in seconds, or the reason why kubebuilder
 * cannot be measured.
 */
async function kubebuilder({ say }: BenchContext): Promise<(() => Promise<number>) | string> {
  let assets: string;
  try {
    assets = dirname(findControlPlaneAssets().kubeApiserver);
  } catch (error) {
    if (error instanceof ControlPlaneUnavailable) return error.message.split("\n")[0]!;
    throw error;
  }
  const bin = join(cacheDir(), `kubebuilder-${KUBEBUILDER}`);
  const program = join(bin, "kubebuilder");
  if (!await Deno.stat(program).then(() => true, () => false)) {
    say("building kubebuilder; the first time takes minutes");
    await Deno.mkdir(bin, { recursive: true });
    await Deno.writeTextFile(join(bin, "go.mod"), "module example.org/tools\n\ngo 1.26\n");
    const steps = `go get -tool ${MODULE}@${KUBEBUILDER} && go build -o kubebuilder ${MODULE}`;
    const { success, stderr } = await new Deno.Command("sh", {
      args: ["-c", steps],
      cwd: bin,
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) {
      const why = new TextDecoder().decode(stderr).trim().split("\n").at(-1)!.trim();
      return `kubebuilder cannot be built: ${why}`;
    }
  }
  return async () => {
    await using folder = await temporaryFolder();
    const tested = [
      "env",
      `KUBEBUILDER_ASSETS=${assets}`,
      "go",
      "test",
      "./internal/controller/...",
    ];
    return await secondsOf(folder.path, [
      [
        program,
        "init",
        "--domain=example.org",
        "--repo=example.org/shop",
        "--skip-go-version-check",
      ],
      [
        program,
        "create",
        "api",
        "--version=v1alpha1",
        "--kind=Order",
        "--resource",
        "--controller",
      ],
      ["make", "manifests", "generate", "fmt", "vet"],
      tested,
    ]);
  };
}

/** Returns the time that commands take one after another in a folder, in seconds. */
async function secondsOf(cwd: string, commands: readonly (readonly string[])[]): Promise<number> {
  const start = systemClock.monotonicMs();
  for (const [program, ...args] of commands) {
    const { success, stdout, stderr } = await new Deno.Command(program!, { args, cwd }).output();
    if (success) continue;
    const said = [stdout, stderr].map((each) => new TextDecoder().decode(each)).join("\n");
    throw new Error(`${[program, ...args].join(" ")} failed:\n${said}`);
  }
  return (systemClock.monotonicMs() - start) / 1000;
}

async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "xca-bench-project-" });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
