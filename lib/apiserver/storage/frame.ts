/**
 * The format of a data file: a sequence of frames, each made of `XCA1`, the length of the payload
 * in bytes, a CRC-32 checksum of the payload, a checksum of these twelve bytes, and the payload.
 * Numbers are big-endian, of four bytes in the head of a frame. A payload is a sequence of
 * operations.
 *
 * @module
 */
import { crc32 } from "node:zlib";

/**
 * An operation that a data file's payload records: a header, a write, a deletion or the revision
 * counter.
 */
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
  /**
   * An operation that records a lower bound of the revision counter. `clean` is true if no later
   * revision was ever visible to a client.
   */
  | { readonly type: "revision"; readonly revision: number; readonly clean: boolean };

/** The error that the storage's data file cannot be read or written. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
}

const MAGIC = 0x58434131;
const HEADER_BYTES = 16;
const TYPES = ["header", "put", "delete", "revision"] as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A buffer that collects operations, and encodes them as a frame of the data file. */
export class FrameWriter {
  #bytes = new Uint8Array(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #at = HEADER_BYTES;

  /** The length in bytes, head included, of the frame that the collected operations make. */
  get length(): number {
    return this.#at;
  }

  /** Reports whether the writer has collected no operations. */
  get isEmpty(): boolean {
    return this.#at === HEADER_BYTES;
  }

  /** Adds an operation to the frame of the data file that is being collected. */
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

  /** Returns the data file's frame of all added operations, as a copy, and empties the writer. */
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

/** The result of {@linkcode readFrames}: the operations of a data file, and where they end. */
export interface ReadResult {
  readonly operations: Operation[];
  /**
   * The end of the last complete frame of the data file, as an offset in bytes. No write that is
   * recorded after this offset was ever acknowledged.
   */
  readonly end: number;
}

/**
 * Decodes the operations of all frames in the bytes of a data file. An incomplete frame at the end
 * is ignored. The error messages name the file by `path`.
 *
 * @throws {DataFileError} If the file is not a data file, is damaged before its last frame, or was
 * written by a later release.
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
 * Throws a {@linkcode DataFileError} for a file that is not a data file, which would otherwise be
 * treated as a data file with an incomplete first frame, and be overwritten. A first frame may be
 * cut anywhere, or consist of zeros that the disk never filled.
 */
function refuseForeign(bytes: Uint8Array, path: string): void {
  const begun = bytes.subarray(0, 4);
  if (begun.every((byte) => byte === 0)) return;
  if (begun.every((byte, index) => byte === (MAGIC >>> (24 - 8 * index) & 0xff))) return;
  throw new DataFileError(
    `Cannot read the data file ${path}: it is not a data file, or its first bytes are damaged. To ` +
      "start with an empty cluster, give the path of a file that does not exist",
  );
}

/**
 * Returns the payload length in bytes that the head of a data file's frame at offset `at` states;
 * `undefined` if no intact head begins there. The payload itself may be incomplete.
 */
function frameLength(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  if (at + HEADER_BYTES > bytes.length || view.getUint32(at) !== MAGIC) return undefined;
  if (crc32(bytes.subarray(at, at + 12)) !== view.getUint32(at + 12)) return undefined;
  return view.getUint32(at + 4);
}

/**
 * Throws a {@linkcode DataFileError} if an intact frame head follows a damaged frame of a data
 * file: only the last write can be incomplete.
 */
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
      `Cannot read the data file ${path}: it is damaged at byte ${at}, before intact data. ` +
        "Restore a copy of it, or delete it to start with an empty cluster",
    );
  }
}

/** Returns the error about a data file in a format of a later release. */
export function laterRelease(path: string): DataFileError {
  return new DataFileError(
    `Cannot read the data file ${path}: a later release wrote the file. Update, or give another file`,
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
