const encoder = new TextEncoder();
/**
 * The largest integer that the protobuf writer writes without `BigInt`, since `BigInt` takes four
 * times as long.
 */
const MAX_INT32 = 2 ** 31 - 1;

/**
 * A writer of the fields of protobuf messages, nested ones included, into one buffer that grows.
 */
export class WireWriter {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  /** Returns a copy of the protobuf bytes written so far. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Writes a protobuf field with a string value. */
  text(number: number, value: string): void {
    this.message(number, () => {
      this.#grow(value.length * 3);
      const { written } = encoder.encodeInto(value, this.#bytes.subarray(this.#length));
      this.#length += written;
    });
  }

  /** Writes a protobuf field with a bytes value. */
  bytesAt(number: number, value: Uint8Array): void {
    this.head(number, value.length);
    this.#grow(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /**
   * Writes the tag and length of a protobuf field whose value of `size` bytes the caller writes.
   */
  head(number: number, size: number): void {
    this.#varint(number << 3 | 2);
    this.#varint(size);
  }

  /** Writes a protobuf field with an integer of either sign, or a boolean. */
  integer(number: number, value: number): void {
    this.#varint(number << 3);
    this.#varint(value);
  }

  /** Writes a protobuf field with a double value. */
  double(number: number, value: number): void {
    this.#varint(number << 3 | 1);
    this.#grow(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /**
   * Writes a protobuf field whose value is a message. `write` writes the message, which is then
   * moved to make room for its length.
   */
  message(number: number, write: (inner: WireWriter) => void): void {
    this.#varint(number << 3 | 2);
    const start = this.#length;
    write(this);
    const size = this.#length - start;
    const room = varintLength(size);
    this.#grow(room);
    this.#bytes.copyWithin(start + room, start, this.#length);
    this.#length = start;
    this.#varint(size);
    this.#length += size;
  }

  #varint(value: number): void {
    this.#grow(10);
    if (value >= 0 && value <= MAX_INT32) {
      let rest = value;
      while (rest > 0x7f) {
        this.#bytes[this.#length++] = rest & 0x7f | 0x80;
        rest >>>= 7;
      }
      this.#bytes[this.#length++] = rest;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #grow(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) length++;
  return length;
}
