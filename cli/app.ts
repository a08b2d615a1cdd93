import { Command, CommanderError } from "@commander-js/extra-typings";
import { completionCommand } from "./commands/completion.ts";
import { crdCommands } from "./commands/crd/crd_commands.ts";
import { typesCommand, type TypesFlags } from "./commands/crd/types.ts";
import { deploymentCommands } from "./commands/project/deployment_commands.ts";
import { projectCommands } from "./commands/project/project_commands.ts";
import { checkRunFlags, runCommand, type RunFlags } from "./commands/run.ts";
import { checkRbacFlags, rbacCommand, type RbacFlags } from "./commands/rbac/rbac.ts";
import { checkServeFlags, serveCommand, type ServeFlags } from "./commands/serve.ts";
import { statusCommand, type StatusFlags } from "./commands/status/status.ts";
import { permissionsCommand, type PermissionsFlags } from "./commands/permissions.ts";
import { checkWhyFlags, whyCommand, type WhyFlags } from "./commands/why.ts";
import { versionCommand, versionText } from "./commands/version.ts";
import { spellArguments, switchesOf } from "./arguments.ts";
import type { CliContext } from "./context.ts";
import { ExitCode } from "./exit_code.ts";
import { addGlobalFlags, flagsOf, type GlobalFlags } from "./global_flags.ts";
import { reportError } from "./report_error.ts";

/**
 * Runs a command line, given as the arguments after the program's name, and returns the exit code
 * for the process. Never throws: a failure is a message on standard error and an exit code.
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const call: Call = { command: "kubectl xca", flags: {}, run: undefined };
  const program = makeProgram(context, call);
  try {
    if (args[0] === "__complete") {
      const { answerCompletion } = await import("./completion/answer.ts");
      await answerCompletion(program, args.slice(1), context);
      return ExitCode.ok;
    }
    if (args[0] === "__dev") {
      const { devChild } = await import("./commands/project/dev_child.ts");
      return await devChild(args.slice(1), context);
    }
    const spelt = spellArguments(args, switchesOf(commandsOf(program)));
    if (spelt.length === 0) {
      program.outputHelp();
      return ExitCode.ok;
    }
    await program.parseAsync([...withKnownTopic(program, spelt)], { from: "user" });
    return await call.run?.() ?? ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, call.command, context);
    const { text, code } = reportError(error, call.command, call.flags);
    context.err(`${text}\n`);
    return code;
  }
}

/**
 * Rewrites command line arguments for the parser: `-h serve`, of which the parser would ignore
 * `serve`, to `help serve`, and `help nope` to `nope`, so that the parser reports the unknown
 * command. A command that has only subcommands, given alone, gets the flag `--help`. Other
 * arguments are returned unchanged.
 */
function withKnownTopic(program: Command, args: readonly string[]): readonly string[] {
  const [first, topic] = args;
  const isGroup = program.commands.some((each) =>
    each.name() === first && each.commands.length > 0
  );
  if (isGroup && topic === undefined) return [first!, "--help"];
  if (topic === undefined || !["help", "-h", "--help"].includes(first!)) return args;
  const known = ["help", ...program.commands.map((command) => command.name())];
  if (!known.includes(topic)) return first === "help" ? [topic] : args;
  return ["help", ...args.slice(1)];
}

/**
 * The command that the parser found: its name, its flags, and the function that runs the command
 * when parsing is complete, which is `undefined` for a command that the parser itself completes,
 * such as `help`.
 */
interface Call {
  command: string;
  flags: GlobalFlags;
  run: (() => Promise<ExitCode>) | undefined;
}

function makeProgram(context: CliContext, call: Call): Command {
  const program = new Command("kubectl xca")
    .description("Run and inspect operators built with @xca/operator.")
    .usage("[command] [flags]");
  const status = statusCommand().action((names, _, command) => {
    const flags = flagsOf<StatusFlags>(command as unknown as Command);
    call.run = async () =>
      (await import("./commands/status/status_action.ts")).status(names, flags, context);
  });
  const run = runCommand().action((module, _, command) => {
    const flags = flagsOf<RunFlags>(command as unknown as Command);
    checkRunFlags(flags);
    call.run = async () => (await import("./commands/run_action.ts")).run(module, flags, context);
  });
  const serve = serveCommand().action((_, command) => {
    const flags = flagsOf<ServeFlags>(command as unknown as Command);
    checkServeFlags(flags);
    call.run = async () => (await import("./commands/serve_action.ts")).serve(flags, context);
  });
  const why = whyCommand().action((object, _, command) => {
    const flags = command.optsWithGlobals() as WhyFlags;
    checkWhyFlags(flags);
    call.run = async () => (await import("./commands/why_action.ts")).why(object, flags, context);
  });
  const permissions = permissionsCommand().action((_, command) => {
    const flags = flagsOf<PermissionsFlags>(command as unknown as Command);
    call.run = async () =>
      (await import("./commands/permissions_action.ts")).permissions(flags, context);
  });
  const rbac = rbacCommand().action((module, _, command) => {
    const flags = flagsOf<RbacFlags>(command as unknown as Command);
    checkRbacFlags(flags);
    call.run = async () =>
      (await import("./commands/rbac/rbac_action.ts")).rbac(module, flags, context);
  });
  const types = typesCommand().action((source, _, command) => {
    const flags = flagsOf<TypesFlags>(command as unknown as Command);
    call.run = async () =>
      (await import("./commands/crd/types_action.ts")).types(source, flags, context);
  });
  const crd = crdCommands(context, (run) => void (call.run = run));
  const project = projectCommands(context, (run) => void (call.run = run));
  const deployment = deploymentCommands(context, (run) => void (call.run = run));
  const completion = completionCommand().action((shell) => {
    call.run = async () => {
      const { COMPLETION_SCRIPTS } = await import("./completion/scripts.ts");
      context.out(COMPLETION_SCRIPTS[shell]);
      return ExitCode.ok;
    };
  });
  const versions = versionCommand().action(() => {
    context.out(`${versionText()}\n`);
  });
  for (
    const command of [
      run,
      status,
      why,
      serve,
      permissions,
      types,
      crd,
      rbac,
      ...project,
      ...deployment,
      completion,
      versions,
    ]
  ) {
    program.addCommand(command as unknown as Command);
  }
  addGlobalFlags(program);
  for (const command of commandsOf(program)) prepare(command, context, call);
  program.version(versionText(), "--version", "print the version");
  program.hook(
    "preAction",
    (_, command) => void (call.flags = flagsOf(command as unknown as Command)),
  );
  return program;
}

/**
 * Configures a command of the parser: it throws instead of exiting, writes its help to the context,
 * and stores the name of the subcommand that it finds in `call`.
 */
function prepare(command: Command, context: CliContext, call: Call): void {
  command
    .hook("preSubcommand", (_, found) => void (call.command = nameOf(found as Command)))
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: () => {}, // The error is thrown too, and endOfParsing() reports it.
    })
    .helpOption("-h, --help", "show help")
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 });
  if (command.commands.length > 0) command.helpCommand("help [command]", "show help of a command");
}

/** Returns a list of a command and its subcommands at all levels. */
function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => commandsOf(each as Command))];
}

/** Returns the name of a command as users type it: `kubectl xca crd diff`. */
function nameOf(command: Command): string {
  const parent = command.parent as Command | null;
  return parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function endOfParsing(error: CommanderError, command: string, context: CliContext): ExitCode {
  if (error.exitCode === 0) return ExitCode.ok;
  if (error.code === "commander.help") return ExitCode.ok;
  const message = error.message.replace(/^error: /, "").replace(/\n/g, " ");
  context.err(`error: ${message}\nSee '${command} --help' for usage.\n`);
  return ExitCode.usage;
}
