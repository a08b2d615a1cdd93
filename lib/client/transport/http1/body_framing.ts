import { ProtocolError } from "./protocol_error.ts";
import { headerList, type ResponseHead } from "./response_head.ts";

/** The framing of an HTTP body: the way in which its end is marked. */
export type BodyFraming =
  | { readonly by: "nothing" }
  | { readonly by: "length"; readonly bytes: number }
  | { readonly by: "chunks" }
  | { readonly by: "close" };

const LENGTH = /^\d{1,15}$/;

/**
 * Returns the framing of the body of a response to a request with the given method (RFC 9112,
 * section 6.3). Ambiguous heads, for which the RFC allows a guess, are refused.
 *
 * @throws {ProtocolError} When the head has two framings, an invalid length or two different ones,
 * or a transfer coding that is not `chunked` or in HTTP/1.0.
 */
export function bodyFraming(method: string, head: ResponseHead): BodyFraming {
  const { status } = head;
  const lengths = headerList(head, "content-length");
  const codings = headerList(head, "transfer-encoding");
  const [length] = lengths;
  if (length !== undefined && (!LENGTH.test(length) || lengths.some((each) => each !== length))) {
    throw new ProtocolError("HPE_INVALID_CONTENT_LENGTH", "Invalid Content-Length");
  }
  if (codings.length > 0) {
    if (head.old || length !== undefined) {
      throw new ProtocolError(
        "HPE_INVALID_TRANSFER_ENCODING",
        "Transfer-Encoding can't be present with Content-Length or HTTP/1.0",
      );
    }
    if (codings.length > 1 || codings[0]!.toLowerCase() !== "chunked") {
      throw new ProtocolError("HPE_INVALID_TRANSFER_ENCODING", "Invalid Transfer-Encoding");
    }
  }
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) {
    return { by: "nothing" };
  }
  if (codings.length > 0) return { by: "chunks" };
  if (length !== undefined) return { by: "length", bytes: Number(length) };
  return { by: "close" };
}

/**
 * Reports whether, by this head, the connection may carry another request after the response. A
 * body that only the end of the connection ends is not considered.
 */
export function keepsConnection(head: ResponseHead): boolean {
  return !head.old && head.status >= 200 && !announcesNoContent(head) &&
    !headerList(head, "connection").some((option) => option.toLowerCase() === "close");
}

/**
 * Reports whether the head of a 204 response, which has no body, announces one (RFC 9110, section
 * 8.6): a server that does so may also send the body, which would be misread as the next response.
 */
function announcesNoContent(head: ResponseHead): boolean {
  return head.status === 204 &&
    (headerList(head, "transfer-encoding").length > 0 ||
      headerList(head, "content-length").some((length) => Number(length) > 0));
}
