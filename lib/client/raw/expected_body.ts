import type { ResourceType } from "@xca/apimachinery/meta";
import { isListOf, type ListKind } from "../decode/list_kind.ts";
import { type Answer, discard, type Hide, NO_BODY } from "../transport/answer.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { cutText } from "../errors/message_text.ts";
import type { OpenCall } from "../calls/body_reader.ts";

/**
 * The pattern of the media types of HTML and XML pages, such as a login form, with which a proxy
 * responds instead of the API server.
 */
const PAGE = /^\s*(text\/html|application\/xhtml\+xml|(?:text|application)\/xml)\b/i;

/**
 * The pattern of the beginning of an HTML or XML page, with white space before it; the first group
 * is the tag up to its name.
 */
const PAGE_BEGIN = /^\s*(<(?:!doctype|html|\?xml))\b/i;

/** The description of the response body that a request expects, for error messages. */
export interface WantedBody {
  /** The URL path of the request whose response body is checked. */
  readonly path: string;
  /** The name of the expected response body: `a watch of pods.v1`. */
  readonly wanted: string;
}

/**
 * Checks the status and the media type of a response whose body is a stream.
 *
 * @throws {DecodeError} When the response has no body, or a page as body; the function has then
 * cancelled the body and disposed the call.
 */
export function expectBody(call: OpenCall, body: WantedBody): void {
  const error = bodyError({ ...call.answer, hide: call.hide }, body);
  if (error === undefined) return;
  discard(call.answer, error);
  call[Symbol.dispose]();
  throw error;
}

/**
 * Returns the error of a response that by its status has no body, or by its media type is an HTML
 * or XML page; `undefined` for another response.
 */
export function bodyError(
  { status, headers, hide }: Pick<Answer, "status" | "headers"> & { readonly hide: Hide },
  body: WantedBody,
): DecodeError | undefined {
  const type = headers.get("content-type") ?? "";
  if (NO_BODY.has(status)) return unfit(body, `the server answered ${status}, which has no body`);
  if (!PAGE.test(type)) return undefined;
  return unfit(body, `it is a page (content-type ${cutText(hide(type), 60)})`);
}

/**
 * Checks that a response body does not begin as an HTML or XML page does, whatever its media type.
 *
 * @throws {DecodeError} When the body begins as a page does.
 */
export function expectNoPage(firstChunk: Uint8Array, body: WantedBody): void {
  const [, tag] = PAGE_BEGIN.exec(new TextDecoder().decode(firstChunk.subarray(0, 64))) ?? [];
  if (tag !== undefined) throw unfit(body, `it begins as a page does: ${tag}`);
}

/**
 * Checks that a list may be of the requested resource by its apiVersion and kind; see {@linkcode
 * isListOf}.
 *
 * @throws {DecodeError} When the list is of another resource.
 */
export function expectListOf(
  type: Pick<ResourceType, "group" | "apiVersion" | "kind">,
  list: ListKind,
  body: WantedBody,
): void {
  if (isListOf(type, list)) return;
  throw unfit(body, `it is a ${list.kind || "list"} of ${list.apiVersion || "no apiVersion"}`);
}

/**
 * Creates the error of a response whose body is not the expected one; `found` names the difference.
 */
export function unfit({ path, wanted }: WantedBody, found: string): DecodeError {
  return new DecodeError(
    `Cannot take the answer to GET ${path} as ${wanted}: ${found}; ` +
      "does a proxy or a login answer for the API server?",
  );
}
