import { type BenchContext, NO_GO } from "./context.ts";
import { ourInformer, rssMb } from "./informer_bench.ts";
import { type Row, row, skippedRow } from "./measure.ts";
import { ReplayServer } from "./replay_server.ts";

type Pair = [number, number];

/** The longest that work may hold the event loop, in milliseconds. */
const HELD_MS = 10;
const UPDATE_ROUNDS = 10;

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
};

/** What a large cache of the whole informer takes, on the replay server; no peer. */
export async function cacheScaleRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) {
    return Object.values(NAMES).map((name) => skippedRow(name, `the replay server ${NO_GO}`));
  }
  const pods = quick ? 10_000 : 50_000;
  const rounds = context.rounds ?? (quick ? 1 : 3);
  await using server = await ReplayServer.start(go.replay, pods);
  const jsonMb = pods * server.podBytes / 1e6;
  const pairs = Object.fromEntries(Object.keys(NAMES).map((name) => [name, []])) as unknown as //
  Record<keyof typeof NAMES, Pair[]>;
  for (let round = 0; round < rounds; round++) {
    say(`a cache of ${pods} pods, round ${round + 1} of ${rounds}`);
    const emptyMb = await settledEmpty(server);
    for (const compress of [false, true]) {
      await using informer = await ourInformer(server, pods, compress);
      const synced = await informer.ask("sync");
      const netMb = async (): Promise<number> => rssMb(await informer.ask("settle")) - emptyMb;
      const stored = await netMb();
      pairs[compress ? "compressed" : "packed"].push([stored, jsonMb]);
      const peakMb = async (changed: number): Promise<[Pair, number]> => {
        const steady = await netMb();
        const { peakKb, heldMs } = await informer.ask(`relist ${changed}`);
        return [[peakKb! / 1000 - emptyMb, steady], heldMs!];
      };
      if (!compress) {
        pairs.sync.push([synced.heldMs!, HELD_MS]);
        pairs.tenth.push((await peakMb(pods / 10))[0]);
        const [all, held] = await peakMb(pods);
        pairs.all.push(all);
        pairs.relist.push([held, HELD_MS]);
        pairs.list.push([(await informer.ask("list")).heldMs!, HELD_MS]);
      }
    }
    for (const compress of [false, true]) {
      await using informer = await ourInformer(server, pods, compress);
      await informer.ask("sync");
      const before = rssMb(await informer.ask("settle")) - emptyMb;
      await informer.ask(`watch ${UPDATE_ROUNDS * pods} count`);
      const after = rssMb(await informer.ask("settle")) - emptyMb;
      pairs[compress ? "updatedCompressed" : "updated"].push([after, before]);
    }
  }
  const targets = { packed: 1.25, compressed: 0.65, updated: 1.2, updatedCompressed: 1.2 };
  const others = { tenth: 1.3, all: 2.1, sync: 1, relist: 1, list: 1 };
  return Object.entries({ ...targets, ...others }).map(([name, target]) => {
    const key = name as keyof typeof NAMES;
    const unit = ["sync", "relist", "list"].includes(name) ? "ms" : "MB";
    return row(`${NAMES[key]} (${pods})`, unit, pairs[key], target);
  });
}

async function settledEmpty(server: ReplayServer): Promise<number> {
  await using informer = await ourInformer(server, 0, false);
  await informer.ask("sync");
  return rssMb(await informer.ask("settle"));
}
