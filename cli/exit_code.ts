/** The process exit codes of all `kubectl xca` commands, by meaning. */
export const ExitCode = {
  /** The exit code of a command that completed with a positive result, or was ended by SIGTERM. */
  ok: 0,
  /**
   * The exit code of a command that completed with a negative result (something is not active,
   * missing, or failed), or with an error for which no other code is meant.
   */
  notSo: 1,
  /**
   * The exit code of a command that did not start: the command line or the configuration is wrong.
   */
  usage: 2,
  /**
   * The exit code of a command that did not start, or was aborted, because the cluster does not
   * respond.
   */
  unreachable: 3,
  /** The exit code of a command that ended because the terminal was closed. */
  hangup: 129,
  /** The exit code of a command that was interrupted by Ctrl-C. */
  interrupted: 130,
  /**
   * The exit code of a command that ended because the reader of its output closed the pipe, as by
   * SIGPIPE.
   */
  brokenPipe: 141,
} as const;

/** A process exit code of a command. */
export type ExitCode = typeof ExitCode[keyof typeof ExitCode];
