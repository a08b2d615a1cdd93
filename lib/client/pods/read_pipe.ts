/** How much waits for its reader before the writer is held up, in bytes. */
const BUFFER_BYTES = 64 * 1024;

/** A stream of bytes that is written to at its reader's pace. */
export class ReadPipe {
  /** What is read. */
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #open = true;
  #room: PromiseWithResolvers<void> | undefined;

  /** Makes one; one that is not `wanted` is at its end already, and drops what is written. */
  constructor(wanted = true) {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#release(),
      cancel: () => this.#end(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }));
    if (!wanted) this.close();
  }

  /** Hands on some bytes; settles when there is room for more. Dropped once it is closed. */
  async write(data: Uint8Array): Promise<void> {
    if (!this.#open || data.byteLength === 0) return;
    this.#controller.enqueue(data);
    if ((this.#controller.desiredSize ?? 0) > 0) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
  }

  /** Ends it. */
  close(): void {
    if (!this.#open) return;
    this.#end();
    this.#controller.close();
  }

  /** Ends it with an error. */
  fail(error: unknown): void {
    if (!this.#open) return;
    this.#end();
    this.#controller.error(error);
  }

  #end(): void {
    this.#open = false;
    this.#release();
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}
