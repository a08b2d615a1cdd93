import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Wire } from "../../lib/client/transport/http1/wire.ts";

/** A connection whose other end is the test. */
export class FakeWire implements Wire {
  /** The stream that the connection under test reads and writes. */
  readonly stream: Duplex;
  /** All that was written so far. */
  written = "";
  /** Reports whether the process is kept alive. */
  held = true;
  /** Reports whether written bytes wait instead of being sent. */
  stalled = false;

  /** Creates a stream without data. */
  constructor() {
    this.stream = new Duplex({
      read() {},
      write: (chunk: Uint8Array, _encoding, done) => {
        this.written += String.fromCharCode(...chunk);
        if (!this.stalled) done();
      },
    });
    Object.assign(this.stream, {
      ref: () => this.held = true,
      unref: () => this.held = false,
    });
  }

  /** The stream itself, since no TLS is between. */
  get below(): Socket {
    return this.stream as Socket;
  }

  /** The server says something. */
  say(text: string | Uint8Array): void {
    this.stream.push(
      typeof text === "string" ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : text,
    );
  }

  /** The server closes its side. */
  end(): void {
    this.stream.push(null);
  }
}
