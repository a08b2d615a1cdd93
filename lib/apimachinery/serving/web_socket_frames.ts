/**
 * The opcode of a WebSocket frame of text (RFC 6455, section 5.2); those of control frames follow.
 */
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const FINAL = 0x80;
const MASKED = 0x80;
/** The maximum payload of a WebSocket's control frame, in bytes (RFC 6455, section 5.5). */
const MAX_CONTROL_BYTES = 125;
const NEWLINE = 0x0a;

/** The status code of a WebSocket's normal closure (RFC 6455, section 7.4.1). */
export const NORMAL_CLOSURE = 1000;
/** The status code of a WebSocket's closure after a violation of the protocol. */
export const PROTOCOL_ERROR = 1002;

/** Returns the WebSocket frame that closes a connection with a status code. */
export function closeFrame(code: number): Uint8Array {
  return frame(CLOSE, Uint8Array.of(code >>> 8, code & 0xff));
}

/** Returns the WebSocket frame that answers a ping with the payload of the ping. */
export function pongFrame(payload: Uint8Array): Uint8Array {
  return frame(PONG, payload);
}

function frame(opcode: number, payload: Uint8Array): Uint8Array {
  const head = headLength(payload.length);
  const bytes = new Uint8Array(head + payload.length);
  writeHead(bytes, 0, opcode, payload.length);
  bytes.set(payload, head);
  return bytes;
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHead(bytes: Uint8Array, at: number, opcode: number, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  bytes[at] = FINAL | opcode;
  if (length < 126) {
    bytes[at + 1] = length;
  } else if (length < 65_536) {
    bytes[at + 1] = 126;
    view.setUint16(at + 2, length);
  } else {
    bytes[at + 1] = 127;
    view.setBigUint64(at + 2, BigInt(length));
  }
}

/**
 * A converter of a stream of lines into WebSocket text messages: each line with its newline is one
 * message; a last line without a newline is not sent.
 */
export class LineFrames {
  #rest = new Uint8Array(0);

  /**
   * Returns the WebSocket frames of all lines that a chunk completes. The rest is kept for the next
   * chunk, so that a last line without a newline is never returned.
   */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const ends: number[] = [];
    let length = 0;
    for (let start = 0, end; (end = bytes.indexOf(NEWLINE, start) + 1) > 0; start = end) {
      ends.push(end);
      length += headLength(end - start) + end - start;
    }
    this.#rest = bytes.slice(ends.at(-1) ?? 0);
    const frames = new Uint8Array(length);
    let at = 0;
    let start = 0;
    for (const end of ends) {
      writeHead(frames, at, TEXT, end - start);
      at += headLength(end - start);
      frames.set(bytes.subarray(start, end), at);
      at += end - start;
      start = end;
    }
    return frames;
  }
}

/** The handlers of the WebSocket frames that a send-only server receives from a client. */
export interface ClientFrameHandlers {
  /** Called for each WebSocket ping of the client, with the payload of the ping. */
  ping(payload: Uint8Array): void;
  /** Called for the client's close frame of a WebSocket. No further frame is read. */
  close(): void;
  /** Called when the client violates the WebSocket protocol. No further frame is read. */
  violation(): void;
}

interface Head {
  readonly opcode: number;
  /** The size of the WebSocket frame's head in bytes, including the mask. */
  readonly size: number;
  readonly length: number;
}

/**
 * A parser of the WebSocket frames of a client, which calls a handler for each ping, close frame
 * and violation of the protocol. Data of any length is dropped without buffering it.
 */
export class ClientFrames {
  readonly #handlers: ClientFrameHandlers;
  #rest: Uint8Array = new Uint8Array(0);
  /** The number of payload bytes of the current WebSocket frame that are still to be skipped. */
  #dropping = 0;
  #ended = false;

  constructor(handlers: ClientFrameHandlers) {
    this.#handlers = handlers;
  }

  /**
   * Parses received bytes of a WebSocket and calls the handlers. An incomplete frame is kept for
   * the next call.
   */
  push(chunk: Uint8Array): void {
    let bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    while (!this.#ended && bytes.length > 0) {
      if (this.#dropping > 0) {
        const dropped = Math.min(this.#dropping, bytes.length);
        this.#dropping -= dropped;
        bytes = bytes.subarray(dropped);
        continue;
      }
      const used = this.#frame(bytes);
      if (used === 0) break;
      bytes = bytes.subarray(used);
    }
    this.#rest = this.#ended ? new Uint8Array(0) : bytes.slice();
  }

  /**
   * Parses one WebSocket frame, or the head of a frame whose payload is dropped. Returns the number
   * of parsed bytes; 0 when the frame is incomplete, or no further frame is read.
   */
  #frame(bytes: Uint8Array): number {
    const isControl = (bytes[0]! & 0x08) !== 0;
    if (bytes.length < 2) return 0;
    const broken = (bytes[1]! & MASKED) === 0 ||
      isControl && (bytes[1]! & ~MASKED) > MAX_CONTROL_BYTES;
    if (broken) {
      this.#ended = true;
      this.#handlers.violation();
      return 0;
    }
    const head = headOf(bytes);
    if (!head) return 0;
    const { opcode, size, length } = head;
    if (opcode === CLOSE) {
      this.#ended = true;
      this.#handlers.close();
      return 0;
    }
    if (opcode !== PING) {
      this.#dropping = length;
      return size;
    }
    if (bytes.length < size + length) return 0;
    const mask = bytes.subarray(size - 4, size);
    const payload = bytes.subarray(size, size + length);
    this.#handlers.ping(payload.map((byte, index) => byte ^ mask[index % 4]!));
    return size + length;
  }
}

function headOf(bytes: Uint8Array): Head | undefined {
  const short = bytes[1]! & ~MASKED;
  const size = (short < 126 ? 2 : short === 126 ? 4 : 10) + 4;
  if (bytes.length < size) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = short < 126
    ? short
    : short === 126
    ? view.getUint16(2)
    : Number(view.getBigUint64(2));
  return { opcode: bytes[0]! & 0x0f, size, length };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
