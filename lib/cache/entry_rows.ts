import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { Arena } from "./arena.ts";
import { CountedRefs } from "./counted_refs.ts";
import type { Kin } from "./kin.ts";
import { PackedEntry } from "./packed_entry.ts";
import type { PackedObject } from "./packed_object.ts";

/** Where an object is kept: the number of a row, or the object itself when somebody else's packer made it. */
export type Place<T extends KubeObject = KubeObject> = number | PackedObject<T>;

const WORDS = 5;
const OFFSET = 0;
const BYTE_LENGTH = 1;
const EXTENT = 2;
const ARENA = 3;
const KIN = 4;
/** The arena of a row that is not used. */
const NONE = 0xffff_ffff;

const ROW_BITS = 8;
const ROWS_OF_BLOCK = 1 << ROW_BITS;

/**
 * Packed objects as rows of five numbers, outside of V8's heap: of many thousand, objects of their own
 * are what its collector takes longest to mark and to move. Who asks for one gets a
 * {@linkcode PackedEntry} made on the spot.
 *
 * A text that lies in no arena any more but through a row is kept by that row; see
 * {@linkcode CountedRefs}.
 */
export class EntryRows<T extends KubeObject = KubeObject> {
  readonly #blocks: Uint32Array[];
  /** Which blocks a copy reads too: they are copied before they are written. */
  readonly #shared: boolean[];
  readonly #arenas: CountedRefs<Arena>;
  readonly #kins: CountedRefs<Kin>;
  /** Rows that were used, to be used again. */
  readonly #free: number[] = [];
  #used = 0;

  /** Begins empty, or as another is now: neither sees what the other changes. */
  constructor(other?: EntryRows<T>) {
    this.#blocks = other ? [...other.#blocks] : [];
    this.#shared = other ? [...other.#shared.fill(true)] : [];
    this.#arenas = new CountedRefs(other ? other.#arenas : undefined);
    this.#kins = new CountedRefs(other ? other.#kins : undefined);
    this.#used = other ? other.#used : 0;
  }

  /** Keeps an object. */
  add(object: PackedObject<T>): Place<T> {
    if (!(object instanceof PackedEntry)) return object;
    const row = this.#free.pop() ?? this.#used++;
    this.#write(row, object);
    return row;
  }

  /** Keeps an object in the place of another, and returns where. */
  replace(place: Place<T>, object: PackedObject<T>): Place<T> {
    if (typeof place !== "number") return this.add(object);
    if (!(object instanceof PackedEntry)) {
      this.remove(place);
      return object;
    }
    const before = this.#blockOf(place);
    const at = startOf(place);
    const [arena, kin] = [before[at + ARENA]!, before[at + KIN]!];
    this.#write(place, object);
    this.#arenas.remove(arena);
    this.#kins.remove(kin);
    return place;
  }

  /** The object of a place. It stays readable, whatever becomes of the row. */
  at(place: Place<T>, key: ObjectKey): PackedObject<T> {
    if (typeof place !== "number") return place;
    const block = this.#blockOf(place);
    const at = startOf(place);
    return new PackedEntry<T>(
      key,
      this.#kins.at(block[at + KIN]!),
      this.#arenas.at(block[at + ARENA]!),
      block[at + OFFSET]!,
      block[at + BYTE_LENGTH]!,
      block[at + EXTENT]!,
    );
  }

  /** Keeps the object of a place no longer. */
  remove(place: Place<T>): void {
    if (typeof place !== "number") return;
    this.letGo(place);
    this.#writable(place)[startOf(place) + ARENA] = NONE;
    this.#free.push(place);
  }

  /** The same for rows that nobody adds to any more. */
  letGo(place: Place<T>): void {
    if (typeof place !== "number") return;
    const block = this.#blockOf(place);
    const at = startOf(place);
    this.#arenas.remove(block[at + ARENA]!);
    this.#kins.remove(block[at + KIN]!);
  }

  /** Has every text that lies in an arena written elsewhere, to the end of what `write` returns. */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void {
    const number = this.#arenas.find(from);
    if (number === undefined) return;
    for (let row = 0; row < this.#used; row++) {
      const at = startOf(row);
      const block = this.#blockOf(row);
      if (block[at + ARENA] !== number) continue;
      const extent = block[at + EXTENT]!;
      const to = write(block[at + OFFSET]!, extent);
      const moved = this.#writable(row);
      moved[at + OFFSET] = to.used - extent;
      moved[at + ARENA] = this.#arenas.add(to);
      this.#arenas.remove(number);
    }
  }

  #write(row: number, entry: PackedEntry<T>): void {
    const block = this.#writable(row);
    const at = startOf(row);
    block[at + OFFSET] = entry.offset;
    block[at + BYTE_LENGTH] = entry.byteLength;
    block[at + EXTENT] = entry.extent;
    block[at + ARENA] = this.#arenas.add(entry.arena);
    block[at + KIN] = this.#kins.add(entry.kin);
  }

  #blockOf(row: number): Uint32Array {
    return this.#blocks[row >>> ROW_BITS]!;
  }

  #writable(row: number): Uint32Array {
    const number = row >>> ROW_BITS;
    const block = this.#blocks[number];
    if (block !== undefined && !this.#shared[number]) return block;
    this.#shared[number] = false;
    return this.#blocks[number] = block?.slice() ?? new Uint32Array(ROWS_OF_BLOCK * WORDS);
  }
}

function startOf(row: number): number {
  return (row & (ROWS_OF_BLOCK - 1)) * WORDS;
}
