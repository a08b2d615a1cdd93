import type { HeaderPair } from "./header_pair.ts";

/** The head of an HTTP request: method, target and headers. */
export interface RequestHead {
  /** The HTTP method of the request. */
  readonly method: string;
  /**
   * The target of the request: a path with its query, a URL for a proxy, or `host:port` for
   * `CONNECT`.
   */
  readonly target: string;
  /** The headers of the request in order; a name may occur several times. */
  readonly headers: readonly HeaderPair[];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TARGET = /^[\x21-\x7e]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The error of a request whose method, target or headers cannot be sent in HTTP/1.1. A retry would
 * fail too.
 */
export class RequestHeadError extends TypeError {}

/**
 * Checks that the method and headers of a request can be sent.
 *
 * @throws {RequestHeadError} When a part has a character that it may not have, such as a line break
 * in a value. The message does not show values, which may be secret.
 */
export function checkHead(head: Omit<RequestHead, "target">): void {
  if (!isSendable(head)) throw faultOf(head);
}

/**
 * Checks all names together and all values together, since one test of a joined text costs less
 * than a test per header.
 */
function isSendable({ method, headers }: Omit<RequestHead, "target">): boolean {
  let names = method;
  let values = "";
  for (const [name, value] of headers) {
    if (name === "") return false;
    names += name;
    values += value;
  }
  return method !== "" && TOKEN.test(names) && VALUE.test(values);
}

function faultOf({ method, headers }: Omit<RequestHead, "target">): RequestHeadError {
  if (!TOKEN.test(method)) {
    return new RequestHeadError(`not an HTTP method: ${JSON.stringify(method)}`);
  }
  const name = headers.find(([name]) => !TOKEN.test(name))?.[0];
  if (name !== undefined) {
    return new RequestHeadError(`not a header's name: ${JSON.stringify(name)}`);
  }
  const [header] = headers.find(([, value]) => !VALUE.test(value))!;
  return new RequestHeadError(
    `the value of the header ${header} has a character it may not have`,
  );
}

/**
 * Returns the head of an HTTP request as it is sent, with the empty line at its end; each character
 * is one byte (Latin-1).
 *
 * @throws {RequestHeadError} When the method, the target or a header has a character that it may
 * not have.
 */
export function requestHeadText({ method, target, headers }: RequestHead): string {
  checkHead({ method, headers });
  if (!TARGET.test(target)) {
    throw new RequestHeadError("a request's target has a character it may not have");
  }
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return text + "\r\n";
}
