/**
 * Error about a request to a webhook server that cannot be handled; the response to the request
 * contains its message.
 */
export class BadReviewError extends Error {
  override readonly name = "BadReviewError";
  /** The HTTP status code with which the webhook server refuses the review. */
  readonly code: number;
  /** The UID of the invalid review, if it could be read; otherwise empty. */
  readonly uid: string;

  /** Creates an error about an invalid review, with the HTTP status code of the response. */
  constructor(code: number, message: string, uid = "") {
    super(message);
    this.code = code;
    this.uid = uid;
  }
}
