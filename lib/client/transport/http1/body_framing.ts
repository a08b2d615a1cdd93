import { ProtocolError } from "./protocol_error.ts";
import { headerList, type ResponseHead } from "./response_head.ts";

/** How the end of a body is told. */
export type BodyFraming =
  | { readonly by: "nothing" }
  | { readonly by: "length"; readonly bytes: number }
  | { readonly by: "chunks" }
  | { readonly by: "close" };

const LENGTH = /^\d{1,15}$/;

/**
 * How the body of an answer ends (RFC 9112, section 6.3). Where the RFC leaves a choice between
 * guessing and refusing, this refuses.
 *
 * @throws {ProtocolError} When the head says it in two ways, or in one that nobody was asked for.
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

/** Whether the connection may carry another request after this answer. */
export function keepsConnection(head: ResponseHead): boolean {
  return !head.old && head.status >= 200 && !announcesNoContent(head) &&
    !headerList(head, "connection").some((option) => option.toLowerCase() === "close");
}

/**
 * Whether it says of the body that a 204 cannot have how long it is (RFC 9110, section 8.6): who says
 * so may send it too, and it would be taken for the next answer.
 */
function announcesNoContent(head: ResponseHead): boolean {
  return head.status === 204 &&
    (headerList(head, "transfer-encoding").length > 0 ||
      headerList(head, "content-length").some((length) => Number(length) > 0));
}
