/** The error that a request to a webhook server cannot be served; its message is sent to the client. */
export class BadReviewError extends Error {
  override readonly name = "BadReviewError";
  /** The HTTP status code of the answer. */
  readonly code: number;
  /** The UID of the review, as far as it could be read; empty otherwise. */
  readonly uid: string;

  /** Creates an error with the status code of the answer. */
  constructor(code: number, message: string, uid = "") {
    super(message);
    this.code = code;
    this.uid = uid;
  }
}
