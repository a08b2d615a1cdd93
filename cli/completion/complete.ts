import type { Argument, Command } from "@commander-js/extra-typings";
import { optionsOf, readCommandLine } from "./command_line.ts";

/**
 * A candidate for the completion of a word, from fixed values, a {@linkcode LookUp} or the
 * program's commands and flags.
 */
export interface Candidate {
  /** The full word that the shell can insert for the typed prefix. */
  readonly word: string;
  /** The description of the candidate, of which shells show the first line. */
  readonly description?: string;
  /**
   * Reports whether more text follows the word, such as the name after a kind and its slash; the
   * shell then appends no space. Absent counts as false.
   */
  readonly continues?: boolean;
}

/** The completions of a word, as offered to the shell; the result of {@linkcode complete}. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Reports whether the shell also completes names of files. */
  readonly files: boolean;
}

/**
 * A function that looks up the completion candidates of a flag or argument, such as the names of
 * objects, contexts or namespaces. `what` is the attribute name of the flag, or the command and the
 * name of the argument (`why object`); `flags` are the flags of the command line, and `word` is the
 * word to complete. The caller leaves out candidates that do not begin with the word.
 */
export type LookUp = (
  what: string,
  flags: Readonly<Record<string, string | true>>,
  word: string,
) => Promise<readonly Candidate[]>;

/**
 * A record of fixed completion values, by the attribute name of a flag, or by the command and the
 * name of a flag or argument, such as `rbac output`, which takes precedence.
 */
export type FixedValues = Readonly<Record<string, readonly string[]>>;

/** Options for {@linkcode complete}, which completes a command line for a shell. */
export interface CompleteOptions {
  /** The fixed values for completion, by the flag or argument of the command line. */
  readonly values: FixedValues;
  /**
   * The names of the flags and arguments whose completions are looked up, such as `namespace` or
   * `why object`.
   */
  readonly lookedUp: ReadonlySet<string>;
  /** The names of the flags and arguments whose values are file names. */
  readonly files: ReadonlySet<string>;
  /**
   * The function that looks up completions in the cluster or the kubeconfig, such as names of
   * objects.
   */
  readonly lookUp: LookUp;
}

/** The completion of the parser's built-in command `help`, which the program does not list. */
const HELP: Candidate = { word: "help", description: "show help of a command" };

/**
 * Returns the shell completions of the last of `words`, the words of the command line after the
 * program's name: the candidates that begin with the last word.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  options: CompleteOptions,
): Promise<Completion> {
  const line = readCommandLine(program, words);
  const offer = (candidates: readonly Candidate[], files = false): Completion => ({
    candidates: candidates.filter(({ word }) => word.startsWith(line.word)),
    files,
  });
  if (line.valueOf) {
    const what = line.valueOf.attributeName();
    const fixed = options.values[`${line.command.name()} ${what}`] ?? options.values[what];
    if (fixed) return offer(fixed.map((word) => ({ word })));
    return options.lookedUp.has(what)
      ? offer(await options.lookUp(what, line.flags, line.word))
      : offer([], options.files.has(what));
  }
  if (line.word.startsWith("-")) return offer(flagCandidates(program, line.command));
  const { commands: below } = line.command;
  if (below.length > 0) {
    const commands = below.filter((each) => !isHidden(each as Command)).map((each) => ({
      word: each.name(),
      description: each.summary() || each.description(),
    }));
    if (line.command !== program) return offer(line.args.length === 0 ? commands : []);
    if (line.args.length === 0) return offer([...commands, HELP]);
    return offer(line.args.length === 1 && line.args[0] === HELP.word ? commands : []);
  }
  const argument = argumentAt(line.command, line.args.length);
  if (!argument) return offer([]);
  const what = `${line.command.name()} ${argument.name()}`;
  const fixed = options.values[what];
  if (fixed) return offer(fixed.map((word) => ({ word })));
  if (!options.lookedUp.has(what)) return offer([], options.files.has(what));
  const found = await options.lookUp(what, line.flags, line.word);
  return offer(found.filter(({ word }) => !line.args.includes(word)));
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

function flagCandidates(program: Command, command: Command): readonly Candidate[] {
  return optionsOf(program, command).flatMap(({ long, description, hidden }) =>
    long && !hidden ? [{ word: long, description }] : []
  );
}

function isHidden(command: Command): boolean {
  return command.name().startsWith("__");
}

/** The directive of cobra's completion scripts that no space follows the completed word. */
const NO_SPACE = 2;
/** The directive of cobra's completion scripts that file names are not offered. */
const NO_FILES = 4;

/**
 * Formats shell completions for cobra's scripts: one per line, with a tab before its description,
 * then the directive for the shell.
 */
export function completionText({ candidates, files }: Completion): string {
  const lines = candidates.map(({ word, description }) =>
    description ? `${word}\t${description.split("\n")[0]}` : word
  );
  const isOpen = candidates.some(({ continues }) => continues);
  const directive = (files ? 0 : NO_FILES) + (isOpen ? NO_SPACE : 0);
  return [...lines, `:${directive}`].map((line) => `${line}\n`).join("");
}
