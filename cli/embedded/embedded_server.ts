import { isIP } from "node:net";
import {
  ApiFront,
  type ApiObject,
  ApiServer,
  type ApiServerOptions,
  keyFolder,
  openServerKeys,
  parseManifests,
  seedObjects,
} from "@xca/apiserver";
import type { Clock } from "@xca/apimachinery/base";
import type { PemPair } from "@xca/apimachinery/pki";
import type { ClientConfig } from "../../lib/client/mod.ts";
import type { CliContext } from "../context.ts";
import type { EmbeddedFlags } from "./embedded_flags.ts";
import { fileProblem } from "../file_problem.ts";
import { ownFile, ownFolder, whyNotLogged, whyNotThere, writePrivate } from "./private_files.ts";
import { temporaryFolder } from "./temporary_folder.ts";
import { UsageError } from "../usage_error.ts";

/**
 * Maximum length of the reason why a `--seed` manifest is refused, in characters: some refusals
 * quote the object.
 */
const SEED_ERROR_CHARACTERS = 500;

/** The time limit for open requests when the embedded API server stops, in milliseconds. */
const GRACE_MS = 2000;

/** The embedded API server of a command, with its HTTPS listener; disposal stops both. */
export interface EmbeddedServer extends AsyncDisposable {
  /** The URL of the embedded API server's HTTPS listener. */
  readonly url: string;
  /**
   * The absolute path of the administrator's kubeconfig for the embedded API server. Without the
   * flags `--data` and `--write-kubeconfig`, disposal removes the file.
   */
  readonly kubeconfigPath: string;
  /**
   * Sends a request to the embedded API server without a network; a request without credentials has
   * the rights of an administrator.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * The configuration, without credentials, of a client of the embedded API server that uses
   * `fetch` and so has the rights of an administrator.
   */
  readonly config: ClientConfig;
  /** The certificate and the private key of the embedded API server's certificate authority. */
  readonly authority: PemPair;
  /**
   * The private key with which the embedded API server signs service account tokens, as PEM text.
   */
  readonly serviceAccountKey: string;
  /**
   * Applies those manifests of `--seed` that `selects` accepts, and returns their number.
   *
   * @param selects Reports whether an object is applied. @default {all are}
   * @throws {UsageError} When the server refuses a manifest.
   */
  seed(selects?: (object: ApiObject) => boolean): Promise<number>;
}

/**
 * Starts an embedded API server in this process with an HTTPS listener, and writes its kubeconfig.
 * Keeps its data in the folder of `--data`, which is made private, or else in memory. Reads the
 * manifests of `--seed`, which {@linkcode EmbeddedServer.seed} applies. Warns if the address is not
 * a loopback one.
 *
 * @throws {UsageError} When the value of a flag is empty, or a file or the address cannot be used.
 */
export async function startEmbedded(
  flags: EmbeddedFlags,
  context: CliContext,
  options: Pick<ApiServerOptions, "components" | "controllers" | "enableAdmissionPlugins"> = {},
): Promise<EmbeddedServer> {
  const { clock, random } = context;
  checkFilled(flags);
  const hostname = bindAddress(flags.bind);
  const seeds = await readSeeds(flags.seed ?? [], context);
  await using stack = new AsyncDisposableStack();
  checkAuditPath(flags.audit);
  if (flags.data !== undefined) {
    if (flags.writeKubeconfig === undefined) refuseOtherKubeconfig(flags.data);
    openFolder(flags.data, context);
  }
  const askedFor = kubeconfigFile(flags);
  const audit = auditSink(flags.audit, context, stack);
  const keys = await openServerKeys({
    now: clock.now(),
    hosts: [...new Set(["localhost", "127.0.0.1", "::1", hostname])],
    ...(flags.data !== undefined && { store: keyFolder(`${flags.data}/pki`) }),
  }).catch((error) => refuseFolder(flags.data, error));
  const start = ApiServer.start({
    ...options,
    clock,
    random,
    serviceAccountKey: keys.signingKey,
    ...(audit && { audit }),
    ...(flags.data !== undefined && { data: `${flags.data}/objects` }),
  });
  const server = stack.use(await start.catch((error) => refuseFolder(flags.data, error)));
  const front = await listen(server, { keys, hostname, port: flags.port ?? 0, clock });
  stack.defer(() => front.stop({ graceMs: GRACE_MS }));
  warnOfStrangers(hostname, context);
  const kubeconfigPath = askedFor ?? `${stack.use(temporaryFolder(context)).path}/kubeconfig`;
  writeKubeconfig(kubeconfigPath, front.kubeconfig);
  const ending = stack.move();
  const fetch = (request: Request): Promise<Response> => server.fetch(request);
  return {
    url: front.url,
    kubeconfigPath,
    fetch,
    config: {
      server: front.url,
      source: "the embedded API server",
      tls: { caData: keys.ca },
    },
    authority: { cert: keys.ca, key: keys.caKey },
    serviceAccountKey: keys.signingKey,
    seed: async (selects = () => true) => {
      let count = 0;
      for (const { path, objects } of seeds) {
        count += await sow({ path, objects: objects.filter(selects) }, fetch, clock);
      }
      return count;
    },
    async [Symbol.asyncDispose]() {
      // Closing the server first ends its watches, so that the listener has no open requests to
      // cut; all writes are on the disk then.
      await server[Symbol.asyncDispose]();
      await ending.disposeAsync();
    },
  };
}

/**
 * Checks that no path or address in the flags is empty, as from an unset variable.
 *
 * @throws {UsageError} When a path or address is empty.
 */
function checkFilled(flags: EmbeddedFlags): void {
  const { bind, data, audit, seed = [], writeKubeconfig } = flags;
  const given = { bind, data, audit, "write-kubeconfig": writeKubeconfig };
  const empty = Object.entries(given).find(([, value]) => value === "")?.[0] ??
    (seed.includes("") ? "seed" : undefined);
  if (empty) throw new UsageError(`--${empty} is empty: give a value, or leave it out`);
}

/**
 * Returns the value of `--bind`: an IP address, without brackets, or a host name; the default is
 * 127.0.0.1.
 *
 * @throws {UsageError} When the value looks like an IP address and is not a valid one, or has a
 * zone.
 */
function bindAddress(bind = "127.0.0.1"): string {
  const address = bind.replace(/^\[(.*)\]$/, "$1");
  const looksLikeOne = /^[\d.]+$|:/.test(address);
  if (!looksLikeOne || isIP(address) !== 0 && !address.includes("%")) return address;
  const why = address.includes("%")
    ? "has a zone, which a URL cannot contain"
    : "is not an IP address";
  throw new UsageError(
    `--bind ${JSON.stringify(bind)} ${why}: give an address of this machine, or leave it out for ` +
      "loopback",
  );
}

async function listen(
  server: ApiServer,
  options: Omit<Parameters<typeof ApiFront.listen>[0], "fetch"> & { readonly port: number },
): Promise<ApiFront> {
  try {
    return await ApiFront.listen({
      ...options,
      fetch: (request, peer) => server.fetch(request, peer),
    });
  } catch (error) {
    const { code } = error as { code?: string };
    const where = `${options.hostname}:${options.port}`;
    const why = WHY_NOT[code ?? ""];
    if (!why) throw error;
    throw new UsageError(`cannot listen on ${where}: ${why}`, { cause: error });
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "the port is taken; give another one by --port, or leave out --port for any free port",
  EACCES: "this user may not listen on the port; give one above 1023 by --port",
  EADDRNOTAVAIL: "this machine has no such address; leave out --bind for loopback",
  EINVAL: "this machine has no such address; leave out --bind for loopback",
  ENOTFOUND: "there is no such address; leave out --bind for loopback",
};

function warnOfStrangers(hostname: string, context: CliContext): void {
  if (/^(127\.|::1$|localhost$)/.test(hostname)) return;
  context.err(
    `WARNING: listening on ${hostname}, where other machines may reach it. Whoever has the ` +
      "kubeconfig is its administrator.\n",
  );
}

/** A manifest file of the flag `--seed`: its path, and the objects in it. */
interface Seed {
  readonly path: string;
  readonly objects: readonly ApiObject[];
}

async function readSeeds(paths: readonly string[], context: CliContext): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const path of paths) {
    try {
      const text = new TextDecoder().decode(await context.host.readFile(path));
      seeds.push({ path, objects: parseManifests(text) });
    } catch (error) {
      const why = fileProblem(error, path, "give a file of manifests, YAML or JSON");
      throw new UsageError(`cannot read the seed ${path}: ${why}`, { cause: error });
    }
  }
  return seeds;
}

async function sow(
  { path, objects }: Seed,
  fetch: EmbeddedServer["fetch"],
  clock: Clock,
): Promise<number> {
  try {
    return (await seedObjects(fetch, objects, { clock })).length;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the seed ${path} is refused: ${cut(why)}`, {
      cause: error,
    });
  }
}

/**
 * Throws a usage error about the folder that the flag `--data` names; without the flag, throws the
 * given error.
 */
function refuseFolder(data: string | undefined, error: unknown): never {
  if (data === undefined) throw error;
  const why = fileProblem(
    error,
    data,
    "give a folder of your own, or leave out --data to keep nothing",
  );
  throw new UsageError(`cannot keep the cluster in --data ${JSON.stringify(data)}: ${why}`, {
    cause: error,
  });
}

/**
 * Creates the folder of `--data` if needed, and makes it private.
 *
 * @throws {UsageError} When the folder cannot be created, or made private.
 */
function openFolder(data: string, context: CliContext): void {
  try {
    ownFolder(data, context);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    refuseFolder(data, error);
  }
}

/**
 * Returns the absolute path of the kubeconfig to write, which `--write-kubeconfig` names, or which
 * is in the folder of `--data`; `undefined` without these flags.
 *
 * @throws {UsageError} When another program wrote the kubeconfig at the path of
 * `--write-kubeconfig`, or the file is a link, cannot be read, or could be replaced by every user
 * of the machine.
 */
function kubeconfigFile(flags: EmbeddedFlags): string | undefined {
  const { writeKubeconfig: path, data } = flags;
  if (path === undefined) return data === undefined ? undefined : absolute(`${data}/kubeconfig`);
  const problem = whyNotThere(path);
  if (problem) throw new UsageError(`cannot write the kubeconfig ${path}: ${problem}`);
  if (!mayBeWritten(path)) {
    throw new UsageError(
      `--write-kubeconfig ${path}: another kubeconfig is there; give a file that is not there yet`,
    );
  }
  return absolute(path);
}

/**
 * Refuses a folder of `--data` with a kubeconfig that another program wrote, before the permissions
 * of the folder and its files are changed.
 *
 * @throws {UsageError} When there is such a kubeconfig.
 */
function refuseOtherKubeconfig(data: string): void {
  const path = `${data}/kubeconfig`;
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch {
    return; // An unusable folder or file is refused when it is opened.
  }
  if (isOwnKubeconfig(text)) return;
  throw new UsageError(
    `--data ${data}: the kubeconfig of another cluster is there, ${path}; name another file by ` +
      `--write-kubeconfig, or another folder`,
  );
}

function mayBeWritten(path: string): boolean {
  try {
    return isOwnKubeconfig(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    refuseKubeconfig(path, error);
  }
}

/** Reports whether the text of a kubeconfig is that of an embedded server, or empty. */
function isOwnKubeconfig(text: string): boolean {
  return text === "" || /^current-context: xca-embedded$/m.test(text);
}

function refuseKubeconfig(path: string, error: unknown, at = path): never {
  const why = fileProblem(error, at, "give a file in a folder of your own by --write-kubeconfig");
  throw new UsageError(`cannot write the kubeconfig ${path}: ${why}`, { cause: error });
}

function absolute(path: string): string {
  const isAbsolute = /^([/\\]|[A-Za-z]:)/.test(path);
  return isAbsolute ? path : `${Deno.cwd()}/${path.replace(/^(\.\/+)+/, "")}`;
}

function writeKubeconfig(path: string, text: string): void {
  try {
    writePrivate(path, text);
  } catch (error) {
    refuseKubeconfig(path, error, `${path}.new`);
  }
}

/**
 * Checks that the audit log goes to a file that others cannot replace, and not through a link.
 *
 * @throws {UsageError} When the path is a link, or every user of the machine could replace the
 * file.
 */
function checkAuditPath(path: string | undefined): void {
  const problem = path === undefined || path === "-" ? undefined : whyNotLogged(path);
  if (problem) throw new UsageError(`cannot write the audit log ${path}: ${problem}`);
}

function auditSink(
  path: string | undefined,
  context: CliContext,
  stack: AsyncDisposableStack,
): ((line: string) => void) | undefined {
  if (path === undefined) return undefined;
  if (path === "-") return (line) => context.out(line);
  let file: Deno.FsFile;
  try {
    file = stack.adopt(
      Deno.openSync(path, { create: true, append: true, mode: 0o600 }),
      (opened) => opened.close(),
    );
    ownFile(path, "--audit", context);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = fileProblem(
      error,
      path,
      "give a file in a folder of your own, or - for standard output",
    );
    throw new UsageError(`cannot write the audit log ${path}: ${why}`, { cause: error });
  }
  const encoder = new TextEncoder();
  return (line) => {
    const bytes = encoder.encode(line);
    for (let written = 0; written < bytes.length;) {
      written += file.writeSync(bytes.subarray(written));
    }
  };
}

/**
 * Returns the reason why a manifest is refused; of one that is longer than {@linkcode
 * SEED_ERROR_CHARACTERS}, that beginning and the number of the other characters.
 */
function cut(text: string): string {
  return text.length <= SEED_ERROR_CHARACTERS
    ? text
    : `${text.slice(0, SEED_ERROR_CHARACTERS)}... (${text.length - SEED_ERROR_CHARACTERS} more)`;
}
