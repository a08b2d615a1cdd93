import { discard, NO_BODY } from "../transport/answer.ts";
import { DecodeError } from "../decode/errors.ts";
import { cutText } from "../message_text.ts";
import type { OpenCall } from "./body_reader.ts";

/** Media types of pages that a proxy answers with: a login, an error. */
const PAGE = /^\s*(text\/html|application\/xhtml\+xml|(?:text|application)\/xml)\b/i;

/**
 * Sees to it that an answer whose body is read piece by piece may have one that fits.
 *
 * @throws {DecodeError} When it has no body by its status, or a page; the call is then ended.
 */
export function expectBody(
  call: OpenCall,
  { path, wanted }: { readonly path: string; readonly wanted: string },
): void {
  const { status, headers } = call.answer;
  const type = headers.get("content-type") ?? "";
  const found = NO_BODY.has(status)
    ? `the server answered ${status}, which has no body`
    : PAGE.test(type)
    ? `it is a page (content-type ${cutText(call.hide(type), 60)})`
    : undefined;
  if (found === undefined) return;
  const error = new DecodeError(
    `Cannot take the answer to GET ${path} as ${wanted}: ${found}; ` +
      "does a proxy or a login answer for the API server?",
  );
  discard(call.answer, error);
  call[Symbol.dispose]();
  throw error;
}
