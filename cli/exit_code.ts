/** What the process ends with, as every command of ours keeps it. */
export const ExitCode = {
  /** Done, and the answer is yes. */
  ok: 0,
  /** Done, and the answer is no: something is not active, missing, or failed. */
  notSo: 1,
  /** Not begun: the command line or the configuration is wrong. */
  usage: 2,
  /** Not begun, or broken off: the cluster does not answer. */
  unreachable: 3,
  /** Ended because its terminal was closed. */
  hangup: 129,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** Ended because nobody reads its output any more, as by SIGPIPE. */
  brokenPipe: 141,
} as const;

/** One of {@linkcode ExitCode}. */
export type ExitCode = typeof ExitCode[keyof typeof ExitCode];
