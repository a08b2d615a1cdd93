import type { Command } from "@commander-js/extra-typings";
import type { CliContext } from "../../context.ts";
import type { ExitCode } from "../../exit_code.ts";
import { flagsOf } from "../../global_flags.ts";
import {
  createApiCommand,
  type CreateApiFlags,
  createCommand,
  createWebhookCommand,
  type CreateWebhookFlags,
} from "./create.ts";
import { checkDevFlags, devCommand, type DevFlags } from "./dev.ts";
import { initCommand, type InitFlags } from "./init.ts";

/**
 * Returns the commands that create, change and run projects. The action of the command that the
 * parser finds passes the function that runs the command to `start`.
 */
export function projectCommands(
  context: CliContext,
  start: (run: () => Promise<ExitCode>) => void,
): readonly Command[] {
  const init = initCommand().action((folder, _, command) => {
    const flags = flagsOf<InitFlags>(command as unknown as Command);
    start(async () => (await import("./scaffold_action.ts")).init(folder ?? ".", flags, context));
  });
  const api = createApiCommand().action((_, command) => {
    const flags = flagsOf<CreateApiFlags>(command as unknown as Command);
    start(async () => (await import("./scaffold_action.ts")).createKind(flags, context));
  });
  const webhook = createWebhookCommand().action((_, command) => {
    const flags = flagsOf<CreateWebhookFlags>(command as unknown as Command);
    start(async () => (await import("./scaffold_action.ts")).createWebhooks(flags, context));
  });
  const dev = devCommand().action((_, command) => {
    const flags = flagsOf<DevFlags>(command as unknown as Command);
    checkDevFlags(flags);
    start(async () => (await import("./dev_action.ts")).dev(flags, context));
  });
  const create = createCommand();
  for (const command of [api, webhook]) create.addCommand(command as unknown as Command);
  return [init as unknown as Command, create, dev as unknown as Command];
}
