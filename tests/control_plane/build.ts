/**
 * Builds the programs of a control plane from their Go modules, into the folder where
 * `ControlPlane.start` looks for them. The first build takes minutes; later ones come from Go's
 * build cache, and a folder that is up to date is left alone.
 *
 * ```sh
 * deno task control-plane:build
 * deno task control-plane:build --controller-manager
 * deno task control-plane:build --cluster                 # with scheduler and kwok, for deno task e2e --cluster
 * deno task control-plane:build --kubernetes=v1.35.4      # another release, beside the pinned one
 * deno task control-plane:build --pin=v1.37.3             # move the pinned release
 * ```
 *
 * @module
 */
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { controlPlaneCacheDir } from "../../lib/testing/plane/control_plane_assets.ts";
import {
  CONTROLLER_MANAGER,
  go,
  KWOK,
  linkerFlags,
  type Program,
  PROGRAMS,
  releaseOf,
  SCHEDULER,
  writeModule,
} from "./module.ts";

/** Options for {@linkcode buildControlPlane}. */
export interface BuildOptions {
  /** The Kubernetes release. @default the pinned one, of the go.mod beside this file */
  readonly release?: string | undefined;
  /** The folder for the programs. @default {controlPlaneCacheDir(release)} */
  readonly dir?: string | undefined;
  /** Sets whether to build kube-controller-manager too. @default {false} */
  readonly controllerManager?: boolean | undefined;
  /**
   * Sets whether to build all programs of a cluster, with kube-scheduler and kwok. @default {false}
   */
  readonly cluster?: boolean | undefined;
}

const PINNED = import.meta.dirname!;

/**
 * Builds what is missing or out of date, and returns the folder.
 *
 * @throws {Error} When Go is missing or fails.
 */
export async function buildControlPlane(options: BuildOptions = {}): Promise<string> {
  const pinned = releaseOf(await Deno.readTextFile(join(PINNED, "go.mod")));
  const release = options.release ?? pinned;
  const dir = options.dir ?? controlPlaneCacheDir(release);
  await Deno.mkdir(dir, { recursive: true });
  let module = PINNED;
  if (release !== pinned) {
    module = join(dir, "module");
    if (!await readOptional(join(module, "go.sum"))) await writeModule(module, release);
  }
  const programs = [
    ...PROGRAMS,
    ...(options.controllerManager || options.cluster ? [CONTROLLER_MANAGER] : []),
    ...(options.cluster ? [SCHEDULER, KWOK] : []),
  ];
  const stamp = await stampOf(module, release);
  for (const program of programs) await buildProgram(program, { dir, module, release, stamp });
  return dir;
}

interface BuildStep {
  readonly dir: string;
  readonly module: string;
  readonly release: string;
  readonly stamp: string;
}

/**
 * Builds a program into a temporary folder and renames it, so that no half-written one is found.
 */
async function buildProgram(program: Program, step: BuildStep): Promise<void> {
  const { dir, module, release } = step;
  const stamp = [step.stamp, ...(program.version ? [program.version] : [])].join(" ");
  const path = join(dir, program.name);
  const label = `${program.name} (${program.version ?? `Kubernetes ${release}`})`;
  if (await readOptional(`${path}.stamp`) === stamp && await exists(path)) {
    return say(`${label}: up to date`);
  }
  say(`${label}: building; the first time takes minutes`);
  const fresh = await Deno.makeTempDir({ dir, prefix: "build-" });
  try {
    const flags = ["-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(release)];
    const built = join(fresh, basename(program.name));
    if (program.version === undefined) {
      await go(module, ["build", ...flags, "-o", built, program.pkg]);
    } else {
      await go(fresh, ["install", "-trimpath", `${program.pkg}@${program.version}`]);
    }
    await Deno.rename(built, path);
    await Deno.writeTextFile(`${path}.stamp`, stamp);
  } finally {
    await Deno.remove(fresh, { recursive: true });
  }
  say(`${label}: built`);
}

/** Returns a hash of the inputs of a build: modules, compiler, flags. */
async function stampOf(module: string, release: string): Promise<string> {
  const compiler = await go(module, ["version"], "piped");
  const sums = await Deno.readTextFile(join(module, "go.sum"));
  const goMod = await Deno.readTextFile(join(module, "go.mod"));
  const bytes = new TextEncoder().encode([compiler, goMod, sums, linkerFlags(release)].join("\n"));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function readOptional(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      "controller-manager": { type: "boolean" },
      cluster: { type: "boolean" },
      dir: { type: "string" },
      kubernetes: { type: "string" },
      pin: { type: "string" },
    },
  });
  if (values.pin) {
    await writeModule(PINNED, values.pin);
    say(`pinned Kubernetes ${values.pin}; set CONTROL_PLANE_VERSION in lib/testing to the same`);
  }
  const dir = await buildControlPlane({
    release: values.kubernetes,
    dir: values.dir,
    controllerManager: values["controller-manager"],
    cluster: values.cluster,
  });
  say(`the control plane is in ${dir}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${(error as Error).message}\n`));
    Deno.exit(1);
  }
}
