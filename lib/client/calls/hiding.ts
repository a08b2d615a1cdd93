/** Makes a text of the server fit for messages: without what proved us. */
export type Hide = (text: string) => string;

/** What each answer that was handed out may repeat; for who makes errors of its body later. */
const hides = new WeakMap<Response, Hide>();

/** Remembers with what an answer was asked for. */
export function rememberHide(response: Response, hide: Hide): Response {
  hides.set(response, hide);
  return response;
}

/** How to hide that; a wrapper's own answer has nothing to hide. */
export function hideOf(response: Response): Hide {
  return hides.get(response) ?? ((text) => text);
}
