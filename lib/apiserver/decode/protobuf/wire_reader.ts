/** The error for bytes that are not a protobuf message. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/**
 * The value of a protobuf field: a varint as a signed 64-bit integer, or the bytes of a field of
 * another wire type. Groups are not supported.
 */
export type WireValue = bigint | Uint8Array;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A reader of the fields of one protobuf message, in their order. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Returns the number and value of the protobuf message's next field; `undefined` at the end.
   *
   * @throws {WireError} If the bytes are not a protobuf field.
   */
  next(): { readonly number: number; readonly value: WireValue } | undefined {
    if (this.#at >= this.#bytes.length) return undefined;
    const tag = this.#unsigned();
    return { number: tag >>> 3, value: this.#value(tag & 7) };
  }

  #value(type: number): WireValue {
    if (type === 0) return this.#varint();
    if (type === 1) return this.#take(8);
    if (type === 2) return this.#take(this.#unsigned());
    if (type === 5) return this.#take(4);
    throw new WireError(`proto: illegal wireType ${type}`);
  }

  /**
   * Reads the tag or the length of a protobuf field: without `BigInt` where it has one or two
   * bytes, as nearly all have.
   */
  #unsigned(): number {
    const first = this.#bytes[this.#at] ?? 0x80;
    const second = this.#bytes[this.#at + 1] ?? 0x80;
    if (first < 0x80) {
      this.#at += 1;
      return first;
    }
    if (second < 0x80) {
      this.#at += 2;
      return first & 0x7f | second << 7;
    }
    return Number(this.#varint());
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

/**
 * Returns the value of a protobuf field as a string.
 *
 * @throws {WireError} If the value is an integer, or not UTF-8.
 */
export function textOf(value: WireValue): string {
  try {
    return decoder.decode(bytesOf(value));
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError("proto: a text is not UTF-8");
  }
}

/** Returns the value of a protobuf field as bytes. @throws {WireError} If it is an integer. */
export function bytesOf(value: WireValue): Uint8Array {
  if (typeof value === "bigint") throw new WireError("proto: wrong wireType for bytes");
  return value;
}

/**
 * Returns the value of a protobuf field as an integer, rounded beyond 53 bits.
 *
 * @throws {WireError} If the value is not a varint.
 */
export function integerOf(value: WireValue): number {
  if (typeof value !== "bigint") throw new WireError("proto: wrong wireType for an integer");
  return Number(value);
}

/**
 * Returns the value of a protobuf field as a double, from its eight bytes.
 *
 * @throws {WireError} If the value is not eight bytes.
 */
export function doubleOf(value: WireValue): number {
  const bytes = bytesOf(value);
  if (bytes.length !== 8) throw new WireError("proto: wrong wireType for a double");
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}
