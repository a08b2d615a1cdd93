/** How large a frame may grow before it is refused, in bytes: 16 MiB. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/** Cuts a stream of bytes into lines. */
export class LineSplitter {
  constructor(_options: { readonly maxBytes?: number } = {}) {}
  push(_chunk: Uint8Array): Uint8Array[] {
    throw new Error("not built yet");
  }
  get pendingBytes(): number {
    throw new Error("not built yet");
  }
}
