/**
 * The form of a data file: frames, each `XCA1`, the length of its payload, a checksum of the payload, a
 * checksum of these twelve bytes, the payload. A payload is operations one after the other.
 *
 * @module
 */
import { crc32 } from "node:zlib";

/** One operation as the file has it. */
export type Operation =
  | { readonly type: "header"; readonly format: number }
  | {
    readonly type: "put";
    readonly revision: number;
    readonly collection: string;
    readonly key: string;
    readonly bytes: Uint8Array;
  }
  | {
    readonly type: "delete";
    readonly revision: number;
    readonly collection: string;
    readonly key: string;
  }
  /** The revision is at least this; `clean`: everything that was ever seen is in the file. */
  | { readonly type: "revision"; readonly revision: number; readonly clean: boolean };

/** The data file cannot be read. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
}

const MAGIC = 0x58434131;
const HEADER_BYTES = 16;
const TYPES = ["header", "put", "delete", "revision"] as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Gathers operations, and makes frames of them. */
export class FrameWriter {
  #bytes = new Uint8Array(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #at = HEADER_BYTES;

  /** The bytes that the frame would have. */
  get length(): number {
    return this.#at;
  }

  /** Whether there is anything to write. */
  get isEmpty(): boolean {
    return this.#at === HEADER_BYTES;
  }

  /** Adds an operation. */
  add(operation: Operation): void {
    this.#byte(TYPES.indexOf(operation.type));
    switch (operation.type) {
      case "header":
        this.#number(operation.format);
        break;
      case "put":
        this.#address(operation);
        this.#blob(operation.bytes);
        break;
      case "delete":
        this.#address(operation);
        break;
      case "revision":
        this.#number(operation.revision);
        this.#byte(operation.clean ? 1 : 0);
    }
  }

  /** The frame of what was added; the writer is empty then. Good until the next is made. */
  take(): Uint8Array {
    const frame = this.#bytes.subarray(0, this.#at);
    this.#view.setUint32(0, MAGIC);
    this.#view.setUint32(4, this.#at - HEADER_BYTES);
    this.#view.setUint32(8, crc32(frame.subarray(HEADER_BYTES)));
    this.#view.setUint32(12, crc32(frame.subarray(0, 12)));
    const taken = frame.slice();
    this.#at = HEADER_BYTES;
    return taken;
  }

  #address(
    { revision, collection, key }: { revision: number; collection: string; key: string },
  ): void {
    this.#number(revision);
    this.#blob(encoder.encode(collection));
    this.#blob(encoder.encode(key));
  }

  #byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  #number(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  #blob(bytes: Uint8Array): void {
    this.#room(4 + bytes.length);
    this.#view.setUint32(this.#at, bytes.length);
    this.#bytes.set(bytes, this.#at + 4);
    this.#at += 4 + bytes.length;
  }

  #room(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + length));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** What {@linkcode readFrames} found. */
export interface ReadResult {
  readonly operations: Operation[];
  /** Where the last whole frame ends. What follows was never acknowledged. */
  readonly end: number;
}

/**
 * Reads all frames of the file at `path`. A torn end is left out.
 * @throws {DataFileError} When something else is damaged.
 */
export function readFrames(bytes: Uint8Array, path: string): ReadResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const operations: Operation[] = [];
  let at = 0;
  refuseForeign(bytes, path);
  while (at < bytes.length) {
    const length = frameLength(bytes, view, at);
    const end = length === undefined ? undefined : at + HEADER_BYTES + length;
    const payload = end === undefined || end > bytes.length
      ? undefined
      : bytes.subarray(at + HEADER_BYTES, end);
    if (payload === undefined || crc32(payload) !== view.getUint32(at + 8)) {
      refuseUnlessTorn(bytes, view, at, end, path);
      return { operations, end: at };
    }
    readPayload(payload, operations, path);
    at = end!;
  }
  return { operations, end: at };
}

/**
 * A file of somebody else's is no data file with a torn beginning: that would be overwritten. The
 * first frame may be cut anywhere, or be zeros that the disk has not filled.
 */
function refuseForeign(bytes: Uint8Array, path: string): void {
  const begun = bytes.subarray(0, 4);
  if (begun.every((byte) => byte === 0)) return;
  if (begun.every((byte, index) => byte === (MAGIC >>> (24 - 8 * index) & 0xff))) return;
  throw new DataFileError(
    `Cannot read the data file ${path}: it is none, or its first bytes are damaged. Give the path ` +
      "of a file that is not there yet to begin with an empty cluster",
  );
}

/** The length of the payload of the frame here; `undefined`: no frame begins here. */
function frameLength(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  if (at + HEADER_BYTES > bytes.length || view.getUint32(at) !== MAGIC) return undefined;
  if (crc32(bytes.subarray(at, at + 12)) !== view.getUint32(at + 12)) return undefined;
  return view.getUint32(at + 4);
}

/** Only what was written last can be torn: with a frame behind it, it is damaged. */
function refuseUnlessTorn(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  end: number | undefined,
  path: string,
): void {
  const from = end ?? at + 1;
  for (let next = bytes.indexOf(0x58, from); next >= 0; next = bytes.indexOf(0x58, next + 1)) {
    if (next + HEADER_BYTES > bytes.length) break;
    if (frameLength(bytes, view, next) === undefined) continue;
    throw new DataFileError(
      `Cannot read the data file ${path}: it is damaged at byte ${at}, and what follows is not. ` +
        "Restore it from a copy, or delete it to begin with an empty cluster",
    );
  }
}

/** What is in it is not known here yet. */
export function laterRelease(path: string): DataFileError {
  return new DataFileError(
    `Cannot read the data file ${path}: it is of a later release. Update, or give another file`,
  );
}

function readPayload(payload: Uint8Array, operations: Operation[], path: string): void {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  let at = 0;
  const number = (): number => {
    at += 8;
    return view.getFloat64(at - 8);
  };
  const blob = (): Uint8Array => {
    const length = view.getUint32(at);
    at += 4 + length;
    return payload.subarray(at - length, at);
  };
  while (at < payload.length) {
    const type = TYPES[payload[at++]!];
    if (type === "header") operations.push({ type, format: number() });
    else if (type === "revision") {
      operations.push({ type, revision: number(), clean: payload[at++] === 1 });
    } else if (type !== undefined) {
      const address = {
        revision: number(),
        collection: decoder.decode(blob()),
        key: decoder.decode(blob()),
      };
      operations.push(
        type === "put" ? { type, ...address, bytes: blob() } : { type, ...address },
      );
    } else {
      throw laterRelease(path);
    }
  }
}
