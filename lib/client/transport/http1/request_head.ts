import type { HeaderPair } from "./header_pair.ts";

/** What stands before the body of a request. */
export interface RequestHead {
  /** The method. */
  readonly method: string;
  /** What is asked for: a path with its query, or a whole URL for a proxy. */
  readonly target: string;
  /** The headers, in this order; one may come twice. */
  readonly headers: readonly HeaderPair[];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TARGET = /^[\x21-\x7e]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Says of a method and headers whether they can be sent.
 *
 * @throws {TypeError} When a part would not stay in its place, such as a value with a line break. The
 * message does not show values: they may be secrets.
 */
export function checkHead({ method, headers }: Omit<RequestHead, "target">): void {
  if (!TOKEN.test(method)) throw new TypeError(`not an HTTP method: ${JSON.stringify(method)}`);
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) throw new TypeError(`not a header's name: ${JSON.stringify(name)}`);
    if (!VALUE.test(value)) {
      throw new TypeError(`the value of the header ${name} has a character it may not have`);
    }
  }
}

/**
 * The head of a request, as it goes over the wire in Latin-1.
 *
 * @throws {TypeError} As {@linkcode checkHead}, and when the target would not stay in its place.
 */
export function requestHeadText({ method, target, headers }: RequestHead): string {
  checkHead({ method, headers });
  if (!TARGET.test(target)) {
    throw new TypeError("a request's target has a character it may not have");
  }
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return text + "\r\n";
}
