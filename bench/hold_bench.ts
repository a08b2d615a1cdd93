import { ApiServer } from "../lib/apiserver/mod.ts";
import { longestHold } from "../tests/hunt/heartbeat.ts";
import { type HostileRequest, KNOWN_REQUESTS } from "../tests/hunt/known_requests.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row } from "./support/measure.ts";

/** The longest time that one request may hold all others, in milliseconds. */
const MOST_MS = 50;

/**
 * Measures how long one request holds the event loop of the embedded API server, against its limit:
 * no other request is answered meanwhile.
 */
export async function holdRows(context: BenchContext): Promise<Row[]> {
  const rounds = context.rounds ?? (context.quick ? 3 : 5);
  const rows: Row[] = [];
  for (const request of KNOWN_REQUESTS) {
    context.say(`how long others wait for ${request.name}`);
    const pairs: [number, number][] = [];
    for (let round = 0; round < rounds; round++) pairs.push([await holdOf(request), MOST_MS]);
    rows.push(row(`API server: longest hold, ${request.name}`, "ms", pairs, 1));
  }
  return rows;
}

async function holdOf(request: HostileRequest): Promise<number> {
  using server = await ApiServer.start();
  await request.prepare(server);
  return await longestHold(() => request.run(server));
}
