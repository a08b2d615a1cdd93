import { type BenchContext, NO_GO } from "../support/context.ts";
import { firstTouchRow } from "./first_touch_bench.ts";
import { informerArgs, ourInformer, rssMb } from "../informer_bench.ts";
import { type Row, row, skippedRow } from "../support/measure.ts";
import { Program } from "../support/programs.ts";
import { ReplayServer } from "../support/replay_server.ts";

type Pair = [number, number];

/** The longest time that work may hold the event loop, in milliseconds. */
const HELD_MS = 10;
const UPDATE_ROUNDS = 10;
/** The V8 flag that keeps the young generation small, for less memory and shorter collections. */
const SMALL_YOUNG = "--max-semi-space-size=1";

const NAMES = {
  packed: "memory per cached pod, against its JSON",
  compressed: "memory per cached pod with compress, against its JSON",
  updated: `memory after ${UPDATE_ROUNDS} updates of every pod, against before`,
  updatedCompressed: `memory after ${UPDATE_ROUNDS} updates, with compress, against before`,
  tenth: "relist with a tenth changed: peak, against steady",
  all: "relist with all changed: peak, against steady",
  sync: "event loop held by the first list, against 10 ms",
  relist: "event loop held by the relist of all, against 10 ms",
  list: "event loop held by lister.list() of all, against 10 ms",
  smallSync: `the same of the first list, with ${SMALL_YOUNG}`,
  smallRelist: `the same of the relist of all, with ${SMALL_YOUNG}`,
  smallList: `the same of lister.list() of all, with ${SMALL_YOUNG}`,
  listCpu: "lister.list() of all, parsed: CPU, against client-go's lister",
};

/** The names of the figures that are measured in milliseconds, not in MB. */
const TIMES = [
  "sync",
  "relist",
  "list",
  "smallSync",
  "smallRelist",
  "smallList",
  "listCpu",
] as const;

type Pairs = Record<keyof typeof NAMES, Pair[]>;

/** Measures the costs of a large cache through the whole informer, on the replay server. */
export async function cacheScaleRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) {
    return Object.values(NAMES).map((name) => skippedRow(name, `the replay server ${NO_GO}`));
  }
  const pods = quick ? 10_000 : 50_000;
  const rounds = context.rounds ?? (quick ? 1 : 3);
  await using server = await ReplayServer.start(go.replay, pods);
  const pairs = Object.fromEntries(
    Object.keys(NAMES).map((name) => [name, []]),
  ) as unknown as Pairs;
  for (let round = 0; round < rounds; round++) {
    say(`a cache of ${pods} pods, round ${round + 1} of ${rounds}`);
    const theirListMs = await peerListMs(go.informer, await informerArgs(server, pods));
    await measureRound(server, { pods, calm: quick ? "settle" : "rest", theirListMs, pairs });
    await measureSmallYoung(server, pods, pairs);
  }
  const targets: Partial<Record<keyof Pairs, number>> = {
    ...{ packed: 1.25, compressed: 0.65, updated: 1.2, updatedCompressed: 1.2 },
    ...{ tenth: 1.3, all: 2.1, sync: 1, relist: 1, list: 1 },
  };
  const rows = (Object.keys(NAMES) as (keyof Pairs)[]).map((key) => {
    const unit = TIMES.some((name) => name === key) ? "ms" : "MB";
    return row(`${NAMES[key]} (${pods})`, unit, pairs[key], targets[key]);
  });
  return [...rows, firstTouchRow()];
}

/** Measures how long the event loop is held when V8's young generation is kept small. */
async function measureSmallYoung(server: ReplayServer, pods: number, pairs: Pairs): Promise<void> {
  await using informer = await ourInformer(server, pods, false, [`--v8-flags=${SMALL_YOUNG}`]);
  await informer.ask("connect");
  pairs.smallSync.push([(await informer.ask("sync held")).heldMs!, HELD_MS]);
  pairs.smallRelist.push([(await informer.ask(`relist ${pods} held`)).heldMs!, HELD_MS]);
  pairs.smallList.push([(await informer.ask("list held")).heldMs!, HELD_MS]);
}

/**
 * Returns the CPU time that client-go's lister takes to list all cached objects, in milliseconds;
 * the lister returns pointers to these.
 */
async function peerListMs(path: string, args: string[]): Promise<number> {
  await using informer = new Program("client-go", path, args);
  await informer.ask("sync");
  return (await informer.ask("list")).cpuMs!;
}

async function measureRound(
  server: ReplayServer,
  { pods, calm, theirListMs, pairs }: {
    readonly pods: number;
    readonly calm: "settle" | "rest";
    readonly theirListMs: number;
    readonly pairs: Pairs;
  },
): Promise<void> {
  const memoryMb = async (informer: Program): Promise<number> => rssMb(await informer.ask(calm));
  let emptyMb: number;
  {
    await using informer = await ourInformer(server, 0, false);
    await informer.ask("sync");
    emptyMb = await memoryMb(informer);
  }
  for (const compress of [false, true]) {
    await using informer = await ourInformer(server, pods, compress);
    await informer.ask("connect");
    const synced = await informer.ask("sync held");
    const before = await memoryMb(informer) - emptyMb;
    const jsonMb = pods * server.podBytes / 1e6;
    pairs[compress ? "compressed" : "packed"].push([before, jsonMb]);
    await informer.ask(`watch ${UPDATE_ROUNDS * pods} count`);
    const updated = await memoryMb(informer) - emptyMb;
    pairs[compress ? "updatedCompressed" : "updated"].push([updated, before]);
    if (compress) continue;
    const tenth = await informer.ask(`relist ${pods / 10}`);
    pairs.tenth.push([tenth.peakKb! / 1000 - emptyMb, updated]);
    const steady = await memoryMb(informer) - emptyMb;
    const all = await informer.ask(`relist ${pods} held`);
    pairs.all.push([all.peakKb! / 1000 - emptyMb, steady]);
    const listed = await informer.ask("list held");
    pairs.listCpu.push([listed.cpuMs!, theirListMs]);
    pairs.sync.push([synced.heldMs!, HELD_MS]);
    pairs.relist.push([all.heldMs!, HELD_MS]);
    pairs.list.push([listed.heldMs!, HELD_MS]);
  }
}
