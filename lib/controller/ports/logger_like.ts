/**
 * The logger interface that this library needs; LogTape's `Logger` implements it.
 *
 * A message may refer to properties in braces, such as `"deleted {pod}"`.
 */
export interface LoggerLike {
  /** Logs a message with details for debugging. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** Logs a message about normal operation. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** Logs a message about a condition that may need attention. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** Logs a message about a failure. */
  error(message: string, properties?: Record<string, unknown>): void;
}
