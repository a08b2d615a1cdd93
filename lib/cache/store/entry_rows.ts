import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Arena } from "../packed/arena.ts";
import { CountedRefs, type Refs } from "./counted_refs.ts";
import type { Kin } from "../packed/kin.ts";
import { PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";

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

/** So many rows are looked at between two looks at the clock. */
const STEP = 256;

const ROW_BITS = 8;
const ROWS_OF_BLOCK = 1 << ROW_BITS;

/** Packed objects that were kept as rows, to read and to let go of. */
export interface PickedRows<T extends KubeObject = KubeObject> {
  /** The object of a place. It stays readable, whatever becomes of the row. */
  at(place: Place<T>, key: ObjectKey): PackedObject<T>;
  /** Keeps the object of a place no longer. */
  remove(place: Place<T>): void;
}

/**
 * Packed objects as rows of five numbers, outside of V8's heap: of many thousand, objects of their own
 * are what its collector takes longest to mark and to move. Who asks for one gets a
 * {@linkcode PackedEntry} made on the spot.
 *
 * A row keeps the arena that its text lies in, whether a pool still counts that or not.
 */
export class EntryRows<T extends KubeObject = KubeObject> implements PickedRows<T> {
  readonly #blocks: Uint32Array[] = [];
  /** Which blocks others read too: they are copied before they are written. */
  readonly #shared: boolean[] = [];
  readonly #arenas = new CountedRefs<Arena>();
  readonly #kins = new CountedRefs<Kin>();
  /** Rows that were used, to be used again. */
  readonly #free: number[] = [];
  #used = 0;
  /** Counts the changes of rows. */
  #writes = 0;

  /** How many rows there are, used now or once. */
  get length(): number {
    return this.#used;
  }

  /** How many arenas and kins the rows refer to. */
  get references(): { readonly arenas: number; readonly kins: number } {
    return { arenas: this.#arenas.size, kins: this.#kins.size };
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
    const block = blockOf(this.#blocks, place);
    const at = startOf(place);
    const arena = block[at + ARENA]!;
    const kin = block[at + KIN]!;
    this.#write(place, object);
    this.#arenas.remove(arena);
    this.#kins.remove(kin);
    return place;
  }

  at(place: Place<T>, key: ObjectKey): PackedObject<T> {
    return objectAt(this.#blocks, this.#arenas, this.#kins, place, key);
  }

  remove(place: Place<T>): void {
    if (typeof place !== "number") return;
    letGo(this.#blocks, this.#arenas, this.#kins, place);
    this.#writable(place)[startOf(place) + ARENA] = NONE;
    this.#free.push(place);
  }

  /** All objects as they are now, each to be let go of once. What changes here does not show there. */
  pickAll(): PickedRows<T> {
    return this.#pick(this.#arenas.pickAll(), this.#kins.pickAll());
  }

  /**
   * The same for the objects of some places. It yields now and then, since in code that runs for the
   * first time it takes long; what it picks is what is there when it ends.
   */
  *pick(places: readonly (Place<T> | undefined)[]): Generator<boolean, PickedRows<T>> {
    const writes = this.#writes;
    const counted = yield* this.#count(places);
    if (writes === this.#writes) return counted;
    // What was counted is another by now, or lies elsewhere: once more, at a stretch.
    const counting = this.#count(places);
    let step = counting.next();
    while (!step.done) step = counting.next();
    return step.value;
  }

  *#count(places: readonly (Place<T> | undefined)[]): Generator<boolean, PickedRows<T>> {
    const ofArenas = new Uint32Array(this.#arenas.limit);
    const ofKins = new Uint32Array(this.#kins.limit);
    for (let index = 0; index < places.length; index++) {
      if (index % STEP === STEP - 1) yield false;
      const place = places[index];
      if (typeof place !== "number") continue;
      const block = blockOf(this.#blocks, place);
      const at = startOf(place);
      ofArenas[block[at + ARENA]!]!++;
      ofKins[block[at + KIN]!]!++;
    }
    return this.#pick(this.#arenas.pick(ofArenas), this.#kins.pick(ofKins));
  }

  #pick(arenas: Refs<Arena>, kins: Refs<Kin>): PickedRows<T> {
    const blocks = [...this.#blocks];
    this.#shared.fill(true);
    return {
      at: (place, key) => objectAt(blocks, arenas, kins, place, key),
      remove: (place) => {
        if (typeof place === "number") letGo(blocks, arenas, kins, place);
      },
    };
  }

  /** Has every text that lies in an arena written elsewhere, to the end of what `write` returns. */
  evacuate(from: Arena, write: (offset: number, extent: number) => Arena): void {
    const number = this.#arenas.find(from);
    if (number === undefined) return;
    for (let row = 0, left = this.#arenas.count(number); left > 0; row++) {
      const at = startOf(row);
      const block = blockOf(this.#blocks, row);
      if (block[at + ARENA] !== number) continue;
      const extent = block[at + EXTENT]!;
      const to = write(block[at + OFFSET]!, extent);
      const moved = this.#writable(row);
      moved[at + OFFSET] = to.used - extent;
      moved[at + ARENA] = this.#arenas.add(to);
      this.#arenas.remove(number);
      left--;
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

  #writable(row: number): Uint32Array {
    this.#writes++;
    const number = row >>> ROW_BITS;
    const block = this.#blocks[number];
    if (block !== undefined && !this.#shared[number]) return block;
    this.#shared[number] = false;
    return this.#blocks[number] = block?.slice() ?? new Uint32Array(ROWS_OF_BLOCK * WORDS);
  }
}

function objectAt<T extends KubeObject>(
  blocks: readonly Uint32Array[],
  arenas: Refs<Arena>,
  kins: Refs<Kin>,
  place: Place<T>,
  key: ObjectKey,
): PackedObject<T> {
  if (typeof place !== "number") return place;
  const block = blockOf(blocks, place);
  const at = startOf(place);
  return new PackedEntry<T>(
    key,
    kins.at(block[at + KIN]!),
    arenas.at(block[at + ARENA]!),
    block[at + OFFSET]!,
    block[at + BYTE_LENGTH]!,
    block[at + EXTENT]!,
  );
}

function letGo(
  blocks: readonly Uint32Array[],
  arenas: Refs<Arena>,
  kins: Refs<Kin>,
  row: number,
): void {
  const block = blockOf(blocks, row);
  const at = startOf(row);
  arenas.remove(block[at + ARENA]!);
  kins.remove(block[at + KIN]!);
}

function blockOf(blocks: readonly Uint32Array[], row: number): Uint32Array {
  return blocks[row >>> ROW_BITS]!;
}

/** Where a row begins in its block. */
function startOf(row: number): number {
  return (row & (ROWS_OF_BLOCK - 1)) * WORDS;
}
