/** The error about an invalid regular expression. The message is that of Go's `regexp` package. */
export class RegExpSyntaxError extends Error {
  override readonly name = "RegExpSyntaxError";
}
