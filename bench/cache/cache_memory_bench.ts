import { Indexer } from "../../lib/cache/store/indexer.ts";
import type { PackedEntry } from "../../lib/cache/packed/packed_entry.ts";
import type { PackedObject } from "../../lib/cache/packed/packed_object.ts";
import { createPacker } from "../../lib/cache/packed/packer.ts";
import { decodeWatchFrame } from "../../lib/client/decode/watch_frames.ts";
import { Pod } from "../../lib/apimachinery/meta/builtin.ts";
import type { V1Pod } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import { type Row, row } from "../support/measure.ts";
import { PodMaker, watchLine } from "../support/realistic_pods.ts";

const PODS = 50_000;
const UPDATE_ROUNDS = 10;
const CHANGED_SHARE = 0.05;
const ROUNDS = 3;
const MB = 1e6;

/** The memory figures that one child process measures, in bytes. */
interface Figures {
  /** The total size of the pods' JSON texts, in bytes. */
  readonly text: number;
  /** The resident memory when all pods are stored, in bytes. */
  readonly stored: number;
  /** The resident memory after every pod was updated ten times, in bytes. */
  readonly updated: number;
  /**
   * The peak of resident memory during a relist in which one of twenty pods had changed, in bytes.
   */
  readonly relistPeak: number;
}

/**
 * Measures the memory of a cache of 50 000 pods of 6 KB: resident memory less that of a process
 * that did the same work and stored nothing, each in a process of its own, after garbage
 * collection.
 */
export async function memoryRows(): Promise<Row[]> {
  const packed: [number, number][] = [];
  const deflated: [number, number][] = [];
  const updated: [number, number][] = [];
  const relisted: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const empty = (await child("empty")).stored;
    const plain = await child("packed");
    const small = await child("deflated");
    const steady = plain.stored - empty;
    packed.push([steady / MB, plain.text / MB]);
    deflated.push([(small.stored - empty) / MB, small.text / MB]);
    updated.push([(plain.updated - empty) / MB, steady / MB]);
    relisted.push([(plain.relistPeak - empty) / MB, (plain.updated - empty) / MB]);
  }
  const pods = `memory of ${PODS} cached pods`;
  return [
    row(`${pods}, packed, against their JSON text`, "MB", packed, 1.25),
    row(`${pods}, deflated (compress), against their JSON text`, "MB", deflated, 0.65),
    row(`${pods}, after ${UPDATE_ROUNDS} updates of all, against before`, "MB", updated, 1.2),
    row(`${pods}, peak of a relist with 5 % changed, against before`, "MB", relisted, 1.3),
  ];
}

async function child(mode: string): Promise<Figures> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--v8-flags=--expose-gc", import.meta.filename!, mode],
    stdout: "piped",
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`Cannot measure memory: the process for ${mode} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The source of the JSON texts of pods, made one at a time so that they take no memory. */
class Source {
  readonly #maker = new PodMaker();
  readonly #encoder = new TextEncoder();
  #version = 0;
  text = 0;

  object(number: number): Uint8Array {
    const pod = this.#maker.pod(number, ++this.#version);
    const event = decodeWatchFrame(this.#encoder.encode(watchLine("MODIFIED", pod)));
    if (event.type === "UNDECODABLE") throw event.error;
    this.text += event.object.length;
    return event.object;
  }

  /** Returns the JSON text of a packed pod as bytes, with the next resourceVersion. */
  update(packed: PackedObject<V1Pod>): Uint8Array {
    const text = textOf(packed).replace(
      `"resourceVersion":"${packed.resourceVersion}"`,
      `"resourceVersion":"${++this.#version}"`,
    );
    return this.#encoder.encode(text);
  }
}

/** Returns the text of a packed object as it lies in memory. */
function textOf(packed: PackedObject<V1Pod>): string {
  const { arena, offset, byteLength } = packed as PackedEntry<V1Pod>;
  return new TextDecoder().decode(arena.bytes.subarray(offset, offset + byteLength));
}

async function measure(mode: string): Promise<Figures> {
  const source = new Source();
  const packer = createPacker({ type: Pod, compress: mode === "deflated" });
  const indexer = new Indexer<V1Pod>();
  const store = (raw: Uint8Array): void => {
    if (mode === "empty") new TextDecoder().decode(raw);
    else indexer.upsert(packer.pack(raw));
  };
  for (let i = 0; i < PODS; i++) store(source.object(i));
  const text = source.text;
  const stored = await settledRss();
  let updated = 0;
  let relistPeak = 0;
  if (mode === "packed") {
    for (let round = 0; round < UPDATE_ROUNDS; round++) {
      let i = 0;
      for (const key of indexer.keys()) {
        store(source.update(indexer.getPacked(key)!));
        // A process that watches returns to its event loop between chunks.
        if (++i % 1000 === 0) await turn();
      }
    }
    updated = await settledRss();
    relistPeak = await relist(
      source,
      indexer,
      (raw) => packer.pack(raw, (key) => indexer.getPacked(key)),
    );
  }
  if (mode !== "empty" && indexer.size !== PODS) throw new Error(`stored ${indexer.size} pods`);
  return { text, stored, updated, relistPeak };
}

async function relist(
  source: Source,
  indexer: Indexer<V1Pod>,
  pack: (raw: Uint8Array) => PackedObject<V1Pod>,
): Promise<number> {
  const versions = [...indexer.packed()];
  const listed: PackedObject<V1Pod>[] = [];
  let peak = 0;
  for (let i = 0; i < PODS; i++) {
    const changed = i % (1 / CHANGED_SHARE) === 0;
    // The text of an unchanged pod is as it was stored.
    const raw = changed
      ? source.update(versions[i]!)
      : new TextEncoder().encode(textOf(versions[i]!));
    listed.push(pack(raw));
    if (i % 1000 !== 0) continue;
    await turn();
    peak = Math.max(peak, Deno.memoryUsage().rss);
  }
  indexer.replace(listed, "");
  return Math.max(peak, Deno.memoryUsage().rss);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function settledRss(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    // Collects as under memory pressure: V8's young generation, which is not the cache's, shrinks
    // too.
    (globalThis as unknown as { gc(options: Record<string, string>): void })
      .gc({ type: "major", execution: "sync", flavor: "last-resort" });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return Deno.memoryUsage().rss;
}

if (import.meta.main) {
  // deno-lint-ignore no-console -- read by the parent process
  console.log(JSON.stringify(await measure(Deno.args[0] ?? "packed")));
}
