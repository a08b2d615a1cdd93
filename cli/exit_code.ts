/** Exit codes of all commands. */
export const ExitCode = {
  /** Done, with a positive answer. */
  ok: 0,
  /** Done, with a negative answer: something is not active, missing, or failed. */
  notSo: 1,
  /** Not started: the command line or the configuration is wrong. */
  usage: 2,
  /** Not started, or aborted: the cluster does not answer. */
  unreachable: 3,
  /** Ended because the terminal was closed. */
  hangup: 129,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** Ended because the reader of the output has gone, as by SIGPIPE. */
  brokenPipe: 141,
} as const;

/** A member of {@linkcode ExitCode}. */
export type ExitCode = typeof ExitCode[keyof typeof ExitCode];
