import { EmptyHeaderWriter, HeaderReader } from "./spdy_headers.ts";
import { Mailbox } from "./mailbox.ts";

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const FIN = 0x01;

/** The transport below a SPDY connection, which sends and receives bytes. */
export interface ByteCarrier {
  /** The bytes that the client sends, until the connection ends. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Sends bytes of the SPDY connection to the client; resolves when they are written. */
  send(bytes: Uint8Array): Promise<void>;
  /** Closes the transport of the SPDY connection. */
  end(): void;
}

/** A stream of a SPDY connection, opened by the client. */
export interface SpdyStream {
  /** The headers that the client opened the stream with, their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The data that the client sends on the SPDY stream, until it closes its half. */
  readonly input: Mailbox<Uint8Array>;
  /** Sends data to the client on the SPDY stream; resolves when the data is written. */
  send(data: Uint8Array): Promise<void>;
  /** Closes the server's half of the SPDY stream. */
  end(): Promise<void>;
}

/**
 * The server's side of a SPDY/3.1 connection, without the priorities and windows that Kubernetes
 * does not use.
 */
export class SpdyConnection {
  /** The streams that the client opens on the SPDY connection, in the order of their opening. */
  readonly streams: Mailbox<SpdyStream> = new Mailbox();
  readonly #carrier: ByteCarrier;
  readonly #reader = new HeaderReader();
  readonly #writer = new EmptyHeaderWriter();
  /** The inputs of the streams whose client's half is open, by the ids of the streams. */
  readonly #open = new Map<number, Mailbox<Uint8Array>>();
  #held: Uint8Array = new Uint8Array(0);

  /** Creates the server's side of a SPDY connection over a transport. */
  constructor(carrier: ByteCarrier) {
    this.#carrier = carrier;
  }

  /**
   * Reads the frames of the SPDY connection until the connection is closed, and answers pings.
   * Rejects when the transport fails, or headers cannot be read.
   */
  async run(): Promise<void> {
    try {
      for await (const bytes of this.#carrier.bytes) {
        const joined = new Uint8Array(this.#held.byteLength + bytes.byteLength);
        joined.set(this.#held);
        joined.set(bytes, this.#held.byteLength);
        this.#held = joined;
        for (let frame = this.#cut(); frame; frame = this.#cut()) await this.#take(frame);
      }
    } finally {
      this.streams.close();
      for (const input of this.#open.values()) input.close();
      this.#reader.close();
      this.#writer.close();
    }
  }

  /**
   * Removes the next complete frame from the received bytes and returns it; `undefined` when it is
   * incomplete.
   */
  #cut(): Uint8Array | undefined {
    const held = this.#held;
    if (held.byteLength < 8) return undefined;
    const end = 8 + (held[5]! << 16 | held[6]! << 8 | held[7]!);
    if (held.byteLength < end) return undefined;
    this.#held = held.subarray(end);
    return held.subarray(0, end);
  }

  async #take(frame: Uint8Array): Promise<void> {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const flags = frame[4]!;
    if ((frame[0]! & 0x80) === 0) {
      const id = view.getUint32(0);
      if (frame.byteLength > 8) this.#open.get(id)?.put(frame.slice(8));
      if (flags & FIN) this.#close(id);
      return;
    }
    const type = view.getUint16(2);
    if (type === SYN_STREAM) await this.#accept(view.getUint32(8), flags, frame.subarray(18));
    else if (type === RST_STREAM) this.#close(view.getUint32(8));
    else if (type === PING) await this.#carrier.send(frame.slice());
  }

  async #accept(id: number, flags: number, block: Uint8Array): Promise<void> {
    const input = new Mailbox<Uint8Array>();
    this.#open.set(id, input);
    if (flags & FIN) this.#close(id);
    const headers = await this.#reader.read(block);
    const reply = await this.#writer.write();
    await this.#control(SYN_REPLY, id, reply);
    this.streams.put({
      headers,
      input,
      send: (data) => this.#data(id, 0, data),
      end: () => this.#data(id, FIN, new Uint8Array(0)),
    });
  }

  #close(id: number): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  #control(type: number, id: number, rest: Uint8Array): Promise<void> {
    const frame = new Uint8Array(12 + rest.byteLength);
    const view = new DataView(frame.buffer);
    view.setUint16(0, 0x8003);
    view.setUint16(2, type);
    view.setUint32(4, 4 + rest.byteLength);
    view.setUint32(8, id);
    frame.set(rest, 12);
    return this.#carrier.send(frame);
  }

  #data(id: number, flags: number, data: Uint8Array): Promise<void> {
    const frame = new Uint8Array(8 + data.byteLength);
    const view = new DataView(frame.buffer);
    view.setUint32(0, id);
    view.setUint32(4, data.byteLength);
    view.setUint8(4, flags);
    frame.set(data, 8);
    return this.#carrier.send(frame);
  }
}
