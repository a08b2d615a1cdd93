import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { OPERATOR_ENVIRONMENT, V8_FLAGS } from "../../lib/project/runtime_settings.ts";
import { bundle } from "../../plugin/bundle.ts";
import { TextLineStream } from "./text_lines.ts";

const HERE = join(import.meta.dirname!, "..");
const REPOSITORY = join(HERE, "..");

/** The paths of the built Go programs of the bench. */
export interface GoPrograms {
  readonly replay: string;
  readonly informer: string;
  readonly queue: string;
  readonly controller: string;
}

/**
 * Builds the Go programs of the bench into a cache folder, once. Returns `undefined` when there is
 * no Go.
 *
 * @throws {Error} When a build fails.
 */
export async function buildGoPrograms(
  say: (line: string) => void,
): Promise<GoPrograms | undefined> {
  const version = await goVersion();
  if (version === undefined) return undefined;
  const dir = join(cacheDir(), await stampOf(version));
  const built = {
    replay: join(dir, "replay"),
    informer: join(dir, "informer"),
    queue: join(dir, "queue"),
    controller: join(dir, "controller"),
  };
  const has = (path: string) => Deno.stat(path).then(() => true, () => false);
  if ((await Promise.all(Object.values(built).map(has))).every(Boolean)) return built;
  say("building the Go programs of the bench; the first time takes minutes");
  await Deno.mkdir(dir, { recursive: true });
  const fresh = await Deno.makeTempDir({ dir, prefix: "build-" });
  try {
    await go("replay", ["build", "-trimpath", "-o", fresh + "/", "."]);
    await go("peers", ["build", "-trimpath", "-o", fresh + "/", "./..."]);
    for (const [name, path] of Object.entries(built)) await Deno.rename(join(fresh, name), path);
  } finally {
    await Deno.remove(fresh, { recursive: true });
  }
  return built;
}

async function goVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await new Deno.Command("go", { args: ["version"], stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function go(folder: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command("go", {
    args,
    cwd: join(HERE, folder),
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot build bench/${folder}: go ${args.join(" ")} failed`);
}

/** Returns the folder of programs that the bench has built. */
export function cacheDir(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");
  return join(base, "xca-operator", "bench");
}

/** Returns a hash of the Go version and of the sources that the Go programs are built from. */
async function stampOf(version: string): Promise<string> {
  const hash = createHash("sha256").update(version);
  const sources = [
    ...["go.mod", "go.sum", "main.go", "pods.go"].map((file) => join("replay", file)),
    ...["go.mod", "go.sum", ...["informer", "queue", "controller"].map((name) => `${name}/main.go`)]
      .map((file) => join("peers", file)),
  ];
  for (const source of sources) hash.update(await Deno.readFile(join(HERE, source)));
  return hash.digest("hex").slice(0, 16);
}

/** The figures with which a program of the bench answers, by name. */
export type Figures = Readonly<Record<string, number>>;

/** A program of the bench that answers each line with one line of figures. Disposing it ends it. */
export class Program implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #in: WritableStreamDefaultWriter<Uint8Array>;
  readonly #out: ReadableStreamDefaultReader<string>;
  readonly #name: string;

  /** Starts a program, with `env` added to the environment of the bench. */
  constructor(
    name: string,
    command: string,
    args: string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#name = name;
    this.#child = new Deno.Command(command, { args, env, stdin: "piped", stdout: "piped" }).spawn();
    this.#in = this.#child.stdin.getWriter();
    this.#out = this.#child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream()).getReader();
  }

  /** The process id of the program. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Sends a command to the program and returns the answer. */
  async ask(command: string): Promise<Figures> {
    await this.write(command + "\n");
    return JSON.parse(await this.line());
  }

  /** Writes to the standard input of the program. */
  async write(text: string): Promise<void> {
    await this.#in.write(new TextEncoder().encode(text));
  }

  /** Returns the next line of the program's standard output. */
  async line(): Promise<string> {
    const { value } = await this.#out.read();
    if (value === undefined) throw new Error(`The bench's program ${this.#name} ended early`);
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#in.close().catch(() => {});
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
    await this.#out.cancel().catch(() => {});
    await this.#child.status;
    clearTimeout(timer);
  }
}

/** Starts a TypeScript program of the bench with Deno. */
export function denoProgram(
  name: string,
  script: string,
  args: string[],
  { flags = [], env }: {
    readonly flags?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Program {
  const config = join(REPOSITORY, "deno.json");
  return new Program(name, Deno.execPath(), [
    ...["run", "-A", "--quiet", ...flags, "--config", config, join(HERE, script)],
    ...args,
  ], env);
}

/**
 * Bundles a TypeScript program of the bench into a folder, as for the image of an operator, and
 * returns the path of the bundle.
 */
export async function bundleProgram(script: string, folder: string): Promise<string> {
  await bundle(join(HERE, script), folder);
  return join(folder, basename(script, ".ts") + ".js");
}

/** Starts a bundled program of this library, as the image of an operator does. */
export function bundledProgram(name: string, path: string, args: readonly string[]): Program {
  const flags = ["run", "-A", "--quiet", V8_FLAGS, "--no-config"];
  return new Program(name, Deno.execPath(), [...flags, path, ...args], OPERATOR_ENVIRONMENT);
}
