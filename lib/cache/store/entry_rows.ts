import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import type { Arena } from "../packed/arena.ts";
import { CountedRefs, type Refs } from "./counted_refs.ts";
import type { CommonFacts } from "../packed/common_facts.ts";
import { PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * The location of a packed object in a store: the number of a row, or the object itself when
 * another implementation of `Packer` created it.
 */
export type Place<T extends KubeObject = KubeObject> = number | PackedObject<T>;

const WORDS = 5;
const OFFSET = 0;
const BYTE_LENGTH = 1;
const EXTENT = 2;
const ARENA = 3;
const COMMON = 4;
/** The value at `ARENA` of a row that is not in use. */
const NONE = 0xffff_ffff;

/** Number of rows that {@linkcode EntryRows.pick} counts between two yields to other work. */
const STEP = 256;

const ROW_BITS = 8;
const ROWS_OF_BLOCK = 1 << ROW_BITS;

/**
 * A snapshot of a store's rows, selected when it was made, to read and to release; later changes of
 * the store do not affect it.
 */
export interface PickedRows<T extends KubeObject = KubeObject> {
  /**
   * Returns the packed object at a location of the selection, with the given key, which rows do not
   * contain. The object stays readable when the row is changed.
   */
  at(place: Place<T>, key: ObjectKey): PackedObject<T>;
  /**
   * Drops the selection's reference to the arena and metadata record of the row at a location; call
   * it once per row. A location that is an object is left alone.
   */
  remove(place: Place<T>): void;
}

/**
 * A table of packed objects as rows of five numbers outside of V8's heap, since the garbage
 * collector takes longest to mark and to move thousands of small heap objects. A read creates a
 * {@linkcode PackedEntry}.
 *
 * A row refers to the arena of its text, whether or not the pool still counts that arena.
 */
export class EntryRows<T extends KubeObject = KubeObject> implements PickedRows<T> {
  readonly #blocks: Uint32Array[] = [];
  /**
   * The flags of the blocks of rows, by block number: true if a selection of rows may also read the
   * block. A shared block is copied before a write.
   */
  readonly #shared: boolean[] = [];
  readonly #arenas = new CountedRefs<Arena>();
  readonly #commonFacts = new CountedRefs<CommonFacts>();
  /** Rows of the table that are not in use and will be used again. */
  readonly #free: number[] = [];
  #used = 0;
  /** Number of writes to rows of the table since its creation, removals included. */
  #writes = 0;

  /** Number of rows in the table, in use or not. */
  get length(): number {
    return this.#used;
  }

  /**
   * The numbers of distinct arenas and of distinct shared metadata records that the rows refer to.
   */
  get references(): { readonly arenas: number; readonly commonFacts: number } {
    return { arenas: this.#arenas.size, commonFacts: this.#commonFacts.size };
  }

  /**
   * Adds a packed object to the table, and returns its location: a row number for a {@linkcode
   * PackedEntry}; any other object is not stored and is its own location.
   */
  add(object: PackedObject<T>): Place<T> {
    if (!(object instanceof PackedEntry)) return object;
    const row = this.#free.pop() ?? this.#used++;
    this.#write(row, object);
    return row;
  }

  /**
   * Replaces the packed object at a location of the table, and returns the location of the new
   * object, which may differ.
   */
  replace(place: Place<T>, object: PackedObject<T>): Place<T> {
    if (typeof place !== "number") return this.add(object);
    if (!(object instanceof PackedEntry)) {
      this.remove(place);
      return object;
    }
    const block = blockOf(this.#blocks, place);
    const at = startOf(place);
    const arena = block[at + ARENA]!;
    const common = block[at + COMMON]!;
    this.#write(place, object);
    this.#arenas.remove(arena);
    this.#commonFacts.remove(common);
    return place;
  }

  at(place: Place<T>, key: ObjectKey): PackedObject<T> {
    return objectAt(this.#blocks, this.#arenas, this.#commonFacts, place, key);
  }

  remove(place: Place<T>): void {
    if (typeof place !== "number") return;
    releaseRow(this.#blocks, this.#arenas, this.#commonFacts, place);
    this.#writable(place)[startOf(place) + ARENA] = NONE;
    this.#free.push(place);
  }

  /**
   * Returns a fixed selection of all rows as they are now. Later writes do not change the
   * selection. The caller releases each row once.
   */
  pickAll(): PickedRows<T> {
    return this.#pick(this.#arenas.pickAll(), this.#commonFacts.pickAll());
  }

  /**
   * Returns a fixed selection of the rows at the given locations, as they are when the generator
   * ends. The generator yields `false` every 256 rows, since counting is slow while its code runs
   * for the first time.
   */
  *pick(places: readonly (Place<T> | undefined)[]): Generator<boolean, PickedRows<T>> {
    const writes = this.#writes;
    const counted = yield* this.#count(places);
    if (writes === this.#writes) return counted;
    // Rows were written between two steps: count again, without yielding.
    const counting = this.#count(places);
    let step = counting.next();
    while (!step.done) step = counting.next();
    return step.value;
  }

  *#count(places: readonly (Place<T> | undefined)[]): Generator<boolean, PickedRows<T>> {
    const ofArenas = new Uint32Array(this.#arenas.limit);
    const ofCommonFacts = new Uint32Array(this.#commonFacts.limit);
    for (let index = 0; index < places.length; index++) {
      if (index % STEP === STEP - 1) yield false;
      const place = places[index];
      if (typeof place !== "number") continue;
      const block = blockOf(this.#blocks, place);
      const at = startOf(place);
      ofArenas[block[at + ARENA]!]!++;
      ofCommonFacts[block[at + COMMON]!]!++;
    }
    return this.#pick(this.#arenas.pick(ofArenas), this.#commonFacts.pick(ofCommonFacts));
  }

  #pick(arenas: Refs<Arena>, commonFacts: Refs<CommonFacts>): PickedRows<T> {
    const blocks = [...this.#blocks];
    this.#shared.fill(true);
    return {
      at: (place, key) => objectAt(blocks, arenas, commonFacts, place, key),
      remove: (place) => {
        if (typeof place === "number") releaseRow(blocks, arenas, commonFacts, place);
      },
    };
  }

  /**
   * Moves every text of the table's rows that lies in the arena `from`: passes the text's byte
   * range in `from` to `write`, which copies the text to another arena, and updates the row. The
   * copy ends at the `used` position of the arena that `write` returns.
   */
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
    block[at + COMMON] = this.#commonFacts.add(entry.common);
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
  commonFacts: Refs<CommonFacts>,
  place: Place<T>,
  key: ObjectKey,
): PackedObject<T> {
  if (typeof place !== "number") return place;
  const block = blockOf(blocks, place);
  const at = startOf(place);
  return new PackedEntry<T>(
    key,
    commonFacts.at(block[at + COMMON]!),
    arenas.at(block[at + ARENA]!),
    block[at + OFFSET]!,
    block[at + BYTE_LENGTH]!,
    block[at + EXTENT]!,
  );
}

function releaseRow(
  blocks: readonly Uint32Array[],
  arenas: Refs<Arena>,
  commonFacts: Refs<CommonFacts>,
  row: number,
): void {
  const block = blockOf(blocks, row);
  const at = startOf(row);
  arenas.remove(block[at + ARENA]!);
  commonFacts.remove(block[at + COMMON]!);
}

function blockOf(blocks: readonly Uint32Array[], row: number): Uint32Array {
  return blocks[row >>> ROW_BITS]!;
}

/** Returns the index, in its block, of the first of a row's five numbers. */
function startOf(row: number): number {
  return (row & (ROWS_OF_BLOCK - 1)) * WORDS;
}
