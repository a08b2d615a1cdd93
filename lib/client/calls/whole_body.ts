/** The bytes of answers that had come whole by the time they were handed on. */
const wholeBodies = new WeakMap<Response, Uint8Array>();

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
