import type { Command } from "@commander-js/extra-typings";
import type { CliContext } from "../../context.ts";
import type { ExitCode } from "../../exit_code.ts";
import { flagsOf } from "../../global_flags.ts";
import {
  crdCommand,
  crdDiffCommand,
  type CrdDiffFlags,
  crdMigrateCommand,
  type CrdMigrateFlags,
  crdPlanCommand,
  type CrdPlanFlags,
} from "./crd.ts";

/**
 * Returns the command `kubectl xca crd` with its subcommands. The action of the subcommand that the
 * parser finds passes the function that runs the subcommand to `start`.
 */
export function crdCommands(
  context: CliContext,
  start: (run: () => Promise<ExitCode>) => void,
): Command {
  const diff = crdDiffCommand().action((old, now, _, command) => {
    const flags = flagsOf<CrdDiffFlags>(command as unknown as Command);
    start(async () => (await import("./diff_action.ts")).crdDiff(old, now, flags, context));
  });
  const plan = crdPlanCommand().action((old, now, _, command) => {
    const flags = flagsOf<CrdPlanFlags>(command as unknown as Command);
    start(async () => (await import("./plan_action.ts")).crdPlan(old, now, flags, context));
  });
  const migrate = crdMigrateCommand().action((name, _, command) => {
    const flags = flagsOf<CrdMigrateFlags>(command as unknown as Command);
    start(async () => (await import("./migrate_action.ts")).crdMigrate(name, flags, context));
  });
  const crd = crdCommand();
  for (const command of [diff, plan, migrate]) crd.addCommand(command as unknown as Command);
  return crd;
}
