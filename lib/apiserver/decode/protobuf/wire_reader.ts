/** A protobuf message ends in the middle of something, or says what it cannot. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** The four ways in which a field's value is written; groups are out of use. */
export type WireValue = bigint | Uint8Array;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the fields of one protobuf message, in the order in which they stand. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next field's number and value; `undefined` at the end. @throws {WireError} */
  next(): { readonly number: number; readonly value: WireValue } | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    const tag = Number(this.#varint());
    return { number: tag >>> 3, value: this.#value(tag & 7) };
  }

  #value(type: number): WireValue {
    if (type === 0) return this.#varint();
    if (type === 1) return this.#take(8);
    if (type === 2) return this.#take(Number(this.#varint()));
    if (type === 5) return this.#take(4);
    throw new WireError(`proto: illegal wireType ${type}`);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError("unexpected EOF");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new WireError("proto: integer overflow");
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new WireError("unexpected EOF");
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

/** The text in a value. @throws {WireError} */
export function textOf(value: WireValue): string {
  try {
    return decoder.decode(bytesOf(value));
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError("proto: a text is not UTF-8");
  }
}

/** The bytes in a value. @throws {WireError} */
export function bytesOf(value: WireValue): Uint8Array {
  if (typeof value === "bigint") throw new WireError("proto: wrong wireType for bytes");
  return value;
}

/** The integer in a value. @throws {WireError} */
export function integerOf(value: WireValue): number {
  if (typeof value !== "bigint") throw new WireError("proto: wrong wireType for an integer");
  return Number(value);
}

/** The number in a value of eight bytes. @throws {WireError} */
export function doubleOf(value: WireValue): number {
  const bytes = bytesOf(value);
  if (bytes.length !== 8) throw new WireError("proto: wrong wireType for a double");
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}
