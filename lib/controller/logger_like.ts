/**
 * What the library asks of a logger; LogTape's `Logger` is one.
 *
 * A message may name its properties in braces, as `"deleted {pod}"`.
 */
export interface LoggerLike {
  /** Logs for who debugs the operator. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** Logs what went as it should. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** Logs what may need attention. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** Logs what failed. */
  error(message: string, properties?: Record<string, unknown>): void;
}
