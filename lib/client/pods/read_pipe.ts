/** The number of unread bytes in a pipe from which on its writer waits. */
const BUFFER_BYTES = 64 * 1024;

/** A pipe of bytes whose writer waits for its reader. */
export class ReadPipe {
  /** The readable stream at the reader's end of the pipe. */
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #open = true;
  #room: PromiseWithResolvers<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** Creates a pipe. With `wanted` false, the stream is at its end, and written data is dropped. */
  constructor(wanted = true) {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => {
        this.#release();
        this.#failIfDrained();
      },
      cancel: () => this.#end(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }));
    if (!wanted) this.close();
  }

  /**
   * Passes bytes to the pipe's reader; resolves when there is room for more. Drops the bytes once
   * the pipe was closed, failed, or was cancelled by its reader. One call at a time.
   */
  async write(data: Uint8Array): Promise<void> {
    if (!this.#open || data.byteLength === 0) return;
    this.#controller.enqueue(data);
    if ((this.#controller.desiredSize ?? 0) > 0) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
  }

  /**
   * Ends the stream of the pipe after the bytes that are still unread. Does nothing once the pipe
   * has ended.
   */
  close(): void {
    if (!this.#open) return;
    this.#end();
    this.#controller.close();
  }

  /**
   * Ends the stream of the pipe with an error, with which reads reject after the bytes that are
   * still unread. Does nothing once the pipe has ended.
   */
  fail(error: unknown): void {
    if (!this.#open) return;
    this.#end();
    this.#failure = { error };
    this.#failIfDrained();
  }

  #failIfDrained(): void {
    // An error of the controller drops the unread bytes. All room is left when there are none.
    if (this.#failure === undefined || this.#controller.desiredSize !== BUFFER_BYTES) return;
    this.#controller.error(this.#failure.error);
    this.#failure = undefined;
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
