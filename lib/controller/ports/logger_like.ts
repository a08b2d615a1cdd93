/**
 * The logger interface that this library needs; LogTape's `Logger` is one.
 *
 * A message may refer to properties in braces, as `"deleted {pod}"`.
 */
export interface LoggerLike {
  /** Logs details for debugging. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** Logs normal operation. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** Logs a condition that may need attention. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** Logs a failure. */
  error(message: string, properties?: Record<string, unknown>): void;
}
