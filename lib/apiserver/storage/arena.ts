import type { ApiObject } from "@xca/apimachinery/internal/values";

const CHUNK_BYTES = 1 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Many objects' bytes in one piece of memory, which the garbage collector need not look into. */
class Chunk {
  readonly bytes: Uint8Array;
  readonly objects: StoredObject[] = [];
  used = 0;
  /** The bytes of objects that are still wanted. */
  live = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }
}

/**
 * One object as it was at one revision: JSON text, packed. It stays readable for as long as somebody
 * holds it, also after it was given back.
 */
export class StoredObject {
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  /** The revision that wrote it. */
  readonly revision: number;
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

  /** The length of the text in bytes. */
  get length(): number {
    return this.#length;
  }

  /** The text's bytes. A view: to be read at once, never changed. */
  bytes(): Uint8Array {
    return this.#chunk.bytes.subarray(this.#start, this.#start + this.#length);
  }

  /** The text. */
  text(): string {
    return decoder.decode(this.bytes());
  }

  /** The object, a tree of the caller's own. */
  tree(): ApiObject {
    return JSON.parse(this.text());
  }

  /** Whether the arena counts it as garbage. */
  get released(): boolean {
    return this.#released;
  }

  /** For the arena: it is wanted no more. */
  release(): Chunk {
    this.#released = true;
    return this.#chunk;
  }

  /** For the arena: its bytes lie elsewhere now. */
  move(chunk: Chunk, start: number): void {
    this.#chunk = chunk;
    this.#start = start;
  }
}

/**
 * Packs texts into large pieces of memory. What is given back leaves a gap; a piece that is more gap
 * than text is emptied into the newest one and dropped.
 */
export class Arena {
  #current = new Chunk(CHUNK_BYTES);
  #reserved = CHUNK_BYTES;
  #live = 0;

  /** The bytes of all objects that are wanted. */
  get liveBytes(): number {
    return this.#live;
  }

  /** The bytes of memory held. */
  get reservedBytes(): number {
    return this.#reserved;
  }

  /** Packs one text. */
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

  /** Packs bytes that are a text already. */
  putBytes(key: string, revision: number, bytes: Uint8Array): StoredObject {
    const chunk = this.#room(bytes.length);
    chunk.bytes.set(bytes, chunk.used);
    return this.#take(
      chunk,
      bytes.length,
      (start) => new StoredObject(key, revision, chunk, start, bytes.length),
    );
  }

  /** Counts an object as garbage. */
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

  /** Encodes into the current piece; -1 when it does not fit. */
  #tryWrite(text: string): number {
    const { bytes, used } = this.#current;
    if (text.length > bytes.length - used) return -1;
    const { read, written } = encoder.encodeInto(text, bytes.subarray(used));
    return read === text.length ? written : -1;
  }

  /** A piece with so much room: the current one, a new current one, or one of its own. */
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
