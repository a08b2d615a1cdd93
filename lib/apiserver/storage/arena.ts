import type { ApiObject } from "@xca/apimachinery/internal/values";

const CHUNK_BYTES = 1 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A chunk of an arena's memory with the bytes of many objects, which JavaScript's garbage collector
 * does not scan.
 */
class Chunk {
  readonly bytes: Uint8Array;
  readonly objects: StoredObject[] = [];
  used = 0;
  /** The total size of the objects in this chunk of the arena that are not garbage, in bytes. */
  live = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }
}

/**
 * An object of the storage at one revision, as packed JSON text. The text stays readable as long as
 * the object is referenced, even after its release.
 */
export class StoredObject {
  /** The storage key of the object: `namespace/name`, or the name alone. */
  readonly key: string;
  /** The revision of the storage at which the object was written. */
  readonly revision: number;
  /**
   * Reports whether kube-apiserver would have stored the object in another form than reads show, so
   * that the next write stores the object even if it changes nothing. The registry sets the
   * property after a write; it is not persisted.
   */
  isLoose = false;
  #chunk: Chunk;
  #start: number;
  #length: number;
  #released = false;

  constructor(key: string, revision: number, chunk: Chunk, start: number, length: number) {
    this.key = key;
    this.revision = revision;
    this.#chunk = chunk;
    this.#start = start;
    this.#length = length;
  }

  /** The length of the object's JSON text in bytes. */
  get length(): number {
    return this.#length;
  }

  /**
   * Returns the bytes of the object's JSON as a view of the arena's memory. The caller reads the
   * view at once, since a kept view keeps the whole chunk in memory, and never changes it.
   */
  bytes(): Uint8Array {
    return this.#chunk.bytes.subarray(this.#start, this.#start + this.#length);
  }

  /** Returns the JSON text of the stored object. */
  text(): string {
    return decoder.decode(this.bytes());
  }

  /** Parses the JSON text of the stored object; the caller owns the result. */
  tree(): ApiObject {
    return JSON.parse(this.text());
  }

  /** Reports whether the arena counts the stored object as garbage. */
  get released(): boolean {
    return this.#released;
  }

  /** Marks the stored object as garbage and returns its chunk. Called by the arena only. */
  release(): Chunk {
    this.#released = true;
    return this.#chunk;
  }

  /** Sets the new position of the stored object's bytes. Called by the arena only. */
  move(chunk: Chunk, start: number): void {
    this.#chunk = chunk;
    this.#start = start;
  }
}

/**
 * An allocator that packs JSON texts of objects into large chunks of memory. A released text leaves
 * a gap; the texts of a chunk that is mostly gaps are moved into the newest chunk, and the chunk is
 * dropped.
 */
export class Arena {
  #current = new Chunk(CHUNK_BYTES);
  #reserved = CHUNK_BYTES;
  #live = 0;

  /** The size of all objects of the arena that are not garbage, in bytes, without free memory. */
  get liveBytes(): number {
    return this.#live;
  }

  /** The size of the memory that the arena has allocated, in bytes. */
  get reservedBytes(): number {
    return this.#reserved;
  }

  /** Packs the JSON text of an object into the arena, and returns the stored object. */
  put(key: string, revision: number, text: string): StoredObject {
    let { chunk, length } = { chunk: this.#current, length: this.#tryWrite(text) };
    if (length < 0) {
      const bytes = encoder.encode(text);
      chunk = this.#room(bytes.length);
      chunk.bytes.set(bytes, chunk.used);
      length = bytes.length;
    }
    return this.#take(
      chunk,
      length,
      (start) => new StoredObject(key, revision, chunk, start, length),
    );
  }

  /** Packs the encoded JSON of an object into the arena, and returns the stored object. */
  putBytes(key: string, revision: number, bytes: Uint8Array): StoredObject {
    const chunk = this.#room(bytes.length);
    chunk.bytes.set(bytes, chunk.used);
    return this.#take(
      chunk,
      bytes.length,
      (start) => new StoredObject(key, revision, chunk, start, bytes.length),
    );
  }

  /**
   * Marks a stored object as garbage, and compacts its chunk if less than half of it is in use. The
   * chunk that is being filled is not compacted.
   */
  release(object: StoredObject): void {
    if (object.released) return;
    const chunk = object.release();
    chunk.live -= object.length;
    this.#live -= object.length;
    if (chunk !== this.#current && chunk.live < chunk.bytes.length / 2) this.#empty(chunk);
  }

  #take(chunk: Chunk, length: number, make: (start: number) => StoredObject): StoredObject {
    const object = make(chunk.used);
    chunk.objects.push(object);
    chunk.used += length;
    chunk.live += length;
    this.#live += length;
    return object;
  }

  /**
   * Encodes a text into the current chunk of the arena. Returns the number of bytes written, or -1
   * if the text does not fit.
   */
  #tryWrite(text: string): number {
    const { bytes, used } = this.#current;
    if (text.length > bytes.length - used) return -1;
    const { read, written } = encoder.encodeInto(text, bytes.subarray(used));
    return read === text.length ? written : -1;
  }

  /**
   * Returns a chunk of the arena with enough room: the current one, a new current one, or a
   * separate one for a text of more than 256 KiB.
   */
  #room(length: number): Chunk {
    if (length <= this.#current.bytes.length - this.#current.used) return this.#current;
    const large = length > CHUNK_BYTES / 4;
    const size = large ? length : CHUNK_BYTES;
    this.#reserved += size;
    if (large) return new Chunk(size);
    const full = this.#current;
    this.#current = new Chunk(size);
    if (full.live < full.bytes.length / 2) this.#empty(full);
    return this.#current;
  }

  #empty(chunk: Chunk): void {
    const objects = chunk.objects.splice(0);
    this.#reserved -= chunk.bytes.length;
    for (const object of objects) {
      if (object.released) continue;
      const bytes = object.bytes();
      const target = this.#room(bytes.length);
      target.bytes.set(bytes, target.used);
      object.move(target, target.used);
      target.objects.push(object);
      target.used += bytes.length;
      target.live += bytes.length;
    }
    chunk.live = 0;
  }
}
