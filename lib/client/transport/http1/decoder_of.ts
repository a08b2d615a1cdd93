import type { BodyDecoder, Decoded } from "./body_decoder.ts";
import type { BodyFraming } from "./body_framing.ts";
import { ChunkedDecoder } from "./chunked_decoder.ts";

/** Creates the decoder of an HTTP body with the given framing. */
export function decoderOf(framing: BodyFraming): BodyDecoder {
  switch (framing.by) {
    case "nothing":
      return new LengthDecoder(0);
    case "length":
      return new LengthDecoder(framing.bytes);
    case "chunks":
      return new ChunkedDecoder();
    case "close":
      return new ClosingDecoder();
  }
}

class LengthDecoder implements BodyDecoder {
  readonly endsByClose = false;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  push(bytes: Uint8Array): Decoded {
    const used = Math.min(bytes.length, this.#left);
    this.#left -= used;
    const body = used === bytes.length ? bytes : bytes.subarray(0, used);
    return { body, used, done: this.#left === 0 };
  }
}

class ClosingDecoder implements BodyDecoder {
  readonly endsByClose = true;

  push(bytes: Uint8Array): Decoded {
    return { body: bytes, used: bytes.length, done: false };
  }
}
