/** Users who meet the command line for the first time. */
import assert from "node:assert/strict";

const root = new URL("../../../", import.meta.url).pathname;

/**
 * A new user: an empty home, the programs on PATH, the packages that are downloaded already, and the
 * network settings of this process.
 */
export interface Newcomer extends AsyncDisposable {
  /** The folder that the user works in. */
  readonly path: string;
  /** Calls a program in a folder of the user. */
  call(folder: string, program: string, ...words: string[]): Promise<Outcome>;
  /** Starts `kubectl-xca` in a folder of the user. */
  start(folder: string, ...words: string[]): Deno.ChildProcess;
}

/** The outcome of a program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The variables of an environment by which programs reach package registries. */
const NETWORK_VARIABLES = [
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "NO_PROXY",
  "NPM_CONFIG_REGISTRY",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
];

/** Makes a folder for a new user. */
export async function newcomer(): Promise<Newcomer> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${path}/home`);
  await Deno.mkdir(`${path}/tmp`);
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout)) as { denoDir: string };
  const bin = Deno.execPath().replace(/\/[^/]*$/, "");
  const env = {
    PATH: `${root}plugin:${bin}:${Deno.env.get("PATH")}`,
    HOME: `${path}/home`,
    TMPDIR: `${path}/tmp`,
    DENO_DIR: denoDir,
    NO_COLOR: "1",
    ...Object.fromEntries(
      NETWORK_VARIABLES.flatMap((name) => {
        const value = Deno.env.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
  const command = (folder: string, program: string, words: readonly string[]): Deno.Command =>
    new Deno.Command(program, {
      args: [...words],
      cwd: `${path}/${folder}`,
      env,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  const decoder = new TextDecoder();
  return {
    path,
    call: async (folder, program, ...words) => {
      const { code, stdout, stderr } = await command(folder, program, words).output();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    },
    start: (folder, ...words) => command(folder, "kubectl-xca", words).spawn(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Returns the outcome of a program that must end with exit code 0. */
export async function succeeds(outcome: Promise<Outcome>): Promise<Outcome> {
  const found = await outcome;
  assert.equal(found.code, 0, `${found.stdout}\n${found.stderr}`);
  return found;
}

/** The names of all files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      found.push(...(await filesBelow(`${folder}/${name}`)).map((each) => `${name}/${each}`));
    } else found.push(name);
  }
  return found.sort();
}
