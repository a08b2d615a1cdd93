import { Indexer } from "../lib/cache/store/indexer.ts";
import { createPacker, type PackerOptions } from "../lib/cache/packed/packer.ts";
import { decodeWatchFrame } from "../lib/client/decode/watch_frames.ts";
import { Pod } from "../lib/apimachinery/meta/builtin.ts";
import type { UnstructuredObject } from "../lib/apimachinery/meta/object.ts";
import { cpuPer, type Row, row } from "./support/measure.ts";
import { PodMaker, watchLine } from "./support/realistic_pods.ts";

const PODS = 4000;
/**
 * The number of pods for the rows with a large store. The memory of the store exceeds 28 MB with
 * them; beyond this size it consists of fresh pages.
 */
const MANY_PODS = 12_000;
const ROUNDS = 9;

/**
 * Measures the CPU time of ingesting watch events of 6 KB pods, from the bytes of a line to the
 * stored packed object, against decoding and `JSON.parse` of the same line with nothing kept.
 */
export function ingestRows(): Row[] {
  const small = measureArms(PODS, {
    packed: intake({}),
    "packed, managedFields dropped": intake({ dropManagedFields: true }),
    "deflated (compress)": intake({ compress: true }),
  });
  const large = measureArms(MANY_PODS, { [`packed, ${MANY_PODS} pods stored`]: intake({}) });
  return Object.entries({ ...small, ...large }).map(([name, measured]) =>
    row(
      `ingest of a pod event, ${name}, against decode + JSON.parse`,
      "us CPU",
      measured,
      name === "packed" ? 0.5 : undefined,
    )
  );
}

function measureArms(
  pods: number,
  arms: Record<string, (lines: Uint8Array[]) => void>,
): Record<string, [number, number][]> {
  const maker = new PodMaker();
  const rounds = [lines(maker, 1, pods), lines(maker, 2, pods)] as const;
  const floor = (): void => {
    for (const line of rounds[0]) names += floorOf(line);
  };
  const pairs: Record<string, [number, number][]> = {};
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, arm] of Object.entries(arms)) {
      const floorUs = cpuPer(pods, floor);
      const armUs = cpuPer(pods, () => arm(rounds[(round & 1) as 0 | 1]));
      if (round >= 0) (pairs[name] ??= []).push([armUs, floorUs]);
    }
  }
  return pairs;
}

/**
 * The sum of name lengths, kept so that the compiler does not drop the baseline's work as unused.
 */
let names = 0;
const decoder = new TextDecoder();

function floorOf(line: Uint8Array): number {
  return JSON.parse(decoder.decode(line)).object.metadata.name.length;
}

function intake(
  options: Partial<PackerOptions<UnstructuredObject>>,
): (lines: Uint8Array[]) => void {
  const packer = createPacker({ type: Pod, ...options });
  const indexer = new Indexer<UnstructuredObject>();
  return (lines) => {
    for (const line of lines) {
      const event = decodeWatchFrame(line);
      if (event.type === "UNDECODABLE") throw event.error;
      indexer.upsert(packer.pack(event.object));
    }
  };
}

function lines(maker: PodMaker, round: number, pods: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const made: Uint8Array[] = [];
  for (let i = 0; i < pods; i++) {
    made.push(encoder.encode(watchLine("MODIFIED", maker.pod(i, round * 1_000_000 + i))));
  }
  return made;
}

if (import.meta.main) {
  const { table } = await import("./support/measure.ts");
  // deno-lint-ignore no-console -- a bench prints its table
  console.log(table(ingestRows()));
  if (names < 0) throw new Error("unreachable");
}
