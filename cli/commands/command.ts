import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit_code.ts";

/** A command's work, loaded only when the command is called. */
export type Action<Flags> = (
  args: readonly string[],
  flags: Flags,
  context: CliContext,
) => Promise<ExitCode>;
