import { type BenchContext, NO_GO } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { denoProgram, Program } from "./support/programs.ts";

const KEYS = 200_000;
/** The number of operations on each key: added, added again, taken, done. */
const OPS = 4;
const WARM_UP = 3;

interface Peer {
  readonly name: string;
  /** The kind of the peer's queue, as its program names it. */
  readonly queue: string;
  /** The kind of our queue, as its program names it. */
  readonly ours: "plain" | "metered" | "mixed";
  readonly target?: number;
}

const PEERS: Peer[] = [
  { name: "client-go's queue, both without metrics", queue: "plain", ours: "plain", target: 0.8 },
  { name: "client-go's queue, both with metrics", queue: "metered", ours: "metered" },
  { name: "client-go's queue, ours with metrics", queue: "plain", ours: "metered" },
  { name: "controller-runtime's priority queue", queue: "priority", ours: "metered", target: 3 },
  {
    name: "controller-runtime's priority queue with two priorities",
    queue: "mixed",
    ours: "mixed",
    target: 2.5,
  },
];

/**
 * Measures this library's queue, by `using lease = await queue.get()`, beside the queues of Go with
 * and without metrics.
 */
export async function workqueueRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  const nameOf = (peer: string, per: string): string =>
    `queue: operations per ${per}, against ${peer}`;
  if (!go) return PEERS.map(({ name }) => skippedRow(nameOf(name, "CPU second"), NO_GO));
  const rounds = context.rounds ?? (quick ? 7 : 15);
  const rows: Row[] = [];
  for (const { name, queue, ours: kind, target } of PEERS) {
    say(`queues: ours beside ${name}`);
    await using ours = denoProgram("queue", "probes/queue.ts", [String(KEYS), kind]);
    await using theirs = new Program(name, go.queue, [`-keys=${KEYS}`, `-queue=${queue}`]);
    const pairs = { cpuMs: [] as [number, number][], wallMs: [] as [number, number][] };
    for (let round = -WARM_UP; round < rounds; round++) {
      const [our, their] = [await ours.ask("round"), await theirs.ask("round")];
      if (round < 0) continue;
      for (const clock of ["cpuMs", "wallMs"] as const) {
        pairs[clock].push([millionsPerSecond(our[clock]!), millionsPerSecond(their[clock]!)]);
      }
    }
    const options = { atLeast: true };
    rows.push(row(nameOf(name, "CPU second"), "M", pairs.cpuMs, target, options));
    rows.push(row(nameOf(name, "second"), "M", pairs.wallMs, target, options));
  }
  return rows;
}

function millionsPerSecond(ms: number): number {
  return KEYS * OPS / ms / 1000;
}
