import { type BenchContext, NO_GO } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { denoProgram, type Figures, Program } from "./support/programs.ts";
import { ReplayServer } from "./support/replay_server.ts";

type Pair = [number, number];

/** The name of an informer that the bench compares. */
type Kind = "client-go" | "packed" | "compress";

const NAMES = {
  count: "watch stream, handler counts: CPU per event, against client-go's typed informer",
  read: "watch stream, handler reads old and new: CPU per event, against client-go",
  get: "get by key, against client-go's lister",
  list: "list of a namespace, parsed, against client-go's lister",
  sharedGet: "get of a shared object that was read lately, against 2 us",
  sharedList: "list of a namespace of shared objects, warm, against 1 us an object",
  sync: "sync: CPU, against client-go",
  memory: "sync: memory, against client-go",
  compressed: "sync: memory with compress, against client-go",
};

/**
 * Measures this library's informer beside client-go's typed one (protobuf), on the replay server.
 */
export async function informerRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) return Object.values(NAMES).map((name) => skippedRow(name, NO_GO));
  const [pods, events] = quick ? [4_000, 12_000] : [20_000, 50_000];
  const rounds = context.rounds ?? (quick ? 1 : 5);
  await using server = await ReplayServer.start(go.replay, pods);
  const bench = new InformerBench(go.informer, server);
  const pairs: Record<keyof typeof NAMES, Pair[]> = {
    ...{ count: [], read: [], get: [], list: [], sharedGet: [], sharedList: [] },
    ...{ sync: [], memory: [], compressed: [] },
  };
  for (let round = 0; round < rounds; round++) {
    say(`informers beside client-go, round ${round + 1} of ${rounds}`);
    const theirs = await bench.measure("client-go", pods, events);
    const ours = await bench.measure("packed", pods, events);
    const small = await bench.measure("compress", pods, 0);
    for (const [name, list] of Object.entries(pairs)) {
      if (name === "compressed") list.push([small.memory, theirs.memory]);
      else if (name === "sharedGet") list.push([ours.sharedGet, 2]);
      else if (name === "sharedList") list.push([ours.sharedList, pods / 40]);
      else list.push([ours[name as keyof Measured], theirs[name as keyof Measured]]);
    }
  }
  return [
    row(NAMES.count, "us", pairs.count, 0.7),
    row(NAMES.read, "us", pairs.read, 1.2),
    row(NAMES.get, "us", pairs.get),
    row(`${NAMES.list} (${pods / 40} objects)`, "us", pairs.list),
    row(NAMES.sharedGet, "us", pairs.sharedGet, 1),
    row(`${NAMES.sharedList} (${pods / 40} objects)`, "us", pairs.sharedList, 1),
    row(`${NAMES.sync} (${pods} pods)`, "ms", pairs.sync, 0.7),
    row(`${NAMES.memory} (${pods} pods)`, "MB", pairs.memory, 0.6),
    row(`${NAMES.compressed} (${pods} pods)`, "MB", pairs.compressed, 0.4),
  ];
}

interface Measured {
  readonly sync: number;
  readonly memory: number;
  readonly count: number;
  readonly read: number;
  readonly get: number;
  readonly list: number;
  readonly sharedGet: number;
  readonly sharedList: number;
}

const NOT_MEASURED: Measured = {
  ...{ sync: NaN, memory: NaN, count: NaN, read: NaN },
  ...{ get: NaN, list: NaN, sharedGet: NaN, sharedList: NaN },
};

class InformerBench {
  readonly #goInformer: string;
  readonly #server: ReplayServer;

  constructor(goInformer: string, server: ReplayServer) {
    this.#goInformer = goInformer;
    this.#server = server;
  }

  async #start(kind: Kind, pods: number): Promise<Program> {
    return kind === "client-go"
      ? new Program(kind, this.#goInformer, await informerArgs(this.#server, pods))
      : await ourInformer(this.#server, pods, kind === "compress");
  }

  /**
   * Measures one informer from its start: sync, memory, and with `events` the watch and the reads.
   */
  async measure(kind: Kind, pods: number, events: number): Promise<Measured> {
    let emptyKb: number;
    {
      await using empty = await this.#start(kind, 0);
      await empty.ask("sync");
      emptyKb = (await empty.ask("settle")).rssKb!;
    }
    await using informer = await this.#start(kind, pods);
    const sync = (await informer.ask("sync")).cpuMs!;
    const memory = ((await informer.ask("settle")).rssKb! - emptyKb) / 1000;
    if (events === 0) return { ...NOT_MEASURED, sync, memory };
    await informer.ask(`watch ${events / 5} read`);
    const perEvent = async (mode: string): Promise<number> =>
      (await informer.ask(`watch ${events} ${mode}`)).cpuMs! * 1000 / events;
    const [count, read] = [await perEvent("count"), await perEvent("read")];
    const reads = await informer.ask("reads");
    return {
      ...{ sync, memory, count, read },
      get: reads.getUs!,
      list: reads.listUs!,
      sharedGet: reads.sharedGetUs ?? NaN,
      sharedList: reads.sharedListUs ?? NaN,
    };
  }
}

/**
 * Returns the command line arguments of an informer program, with a new URL of the replay server
 * for the given number of pods.
 */
export async function informerArgs(server: ReplayServer, pods: number): Promise<string[]> {
  return ["--server", await server.run(pods), "--ca", server.caFile];
}

/**
 * Starts this library's informer for the given number of pods, on a runtime with the given flags.
 */
export async function ourInformer(
  server: ReplayServer,
  pods: number,
  compress: boolean,
  flags: string[] = [],
): Promise<Program> {
  const args = [...await informerArgs(server, pods), ...compress ? ["--compress"] : []];
  return denoProgram("informer", "probes/informer.ts", args, { flags });
}

/** Returns the resident memory in a program's figures, in MB. */
export function rssMb(figures: Figures): number {
  return figures.rssKb! / 1000;
}
