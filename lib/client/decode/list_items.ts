import type { ListMeta } from "../../meta/object.ts";
import type { RawObject } from "../raw.ts";

/** Takes the body of a list apart while it arrives. */
export class ListDecoder {
  constructor(_options: { readonly maxBytes?: number } = {}) {}
  push(_chunk: Uint8Array, _onItems: (batch: readonly RawObject[]) => void): void {
    throw new Error("not built yet");
  }
  finish(): ListMeta {
    throw new Error("not built yet");
  }
}
