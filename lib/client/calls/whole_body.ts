import type { ByteSource } from "./byte_source.ts";

/** The bytes of answers that had come whole by the time they were handed on. */
const wholeBodies = new WeakMap<Response, Uint8Array>();

/** Where the bodies of answers come from that go on. */
const sources = new WeakMap<Response, { readonly source: ByteSource; readonly body: unknown }>();

/** Makes an answer whose body is there already, so that reading it needs no stream. */
export function responseWithBytes(bytes: Uint8Array, init: ResponseInit): Response {
  const response = new Response(bytes as Uint8Array<ArrayBuffer>, init);
  wholeBodies.set(response, bytes);
  return response;
}

/** The body, if it came whole and nobody has read of it; `undefined` otherwise, as for a clone. */
export function wholeBodyOf(response: Response): Uint8Array | undefined {
  return response.bodyUsed ? undefined : wholeBodies.get(response);
}

/** Makes an answer of a body as it comes, which can be read past the stream too. */
export function responseWithSource(source: ByteSource, init: ResponseInit): Response {
  const response = new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk = await source.read();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: (reason) => source.cancel(reason ?? new Error("the body was cancelled")),
    }, { highWaterMark: 0 }),
    init,
  );
  sources.set(response, { source, body: response.body });
  return response;
}

/**
 * Where the body comes from, if it was made with that and nobody has begun to read it or cloned it;
 * `undefined` otherwise. Who takes it reads it to its end or cancels it, and leaves the stream alone.
 */
export function takeSource(response: Response): ByteSource | undefined {
  const made = sources.get(response);
  const { body } = response;
  if (!made || made.body !== body || response.bodyUsed || body?.locked) return undefined;
  sources.delete(response);
  return made.source;
}
