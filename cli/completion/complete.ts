import type { Command } from "@commander-js/extra-typings";
import { optionsOf, readCommandLine } from "./command_line.ts";

/** A candidate for the completion of a word. */
export interface Candidate {
  /** The word that completes the typed one. */
  readonly word: string;
  /** A short description of the completion. */
  readonly description?: string;
}

/** The completions of a word, as offered to the shell. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the shell offers file names as well. */
  readonly files: boolean;
}

/** A function that looks up completion candidates: names of objects, contexts or namespaces. */
export type LookUp = (
  what: string,
  flags: Readonly<Record<string, string | true>>,
) => Promise<readonly Candidate[]>;

/**
 * Fixed completion values, by the attribute name of a flag, or by the command and the name of a
 * flag or argument.
 */
export type FixedValues = Readonly<Record<string, readonly string[]>>;

/** Options for {@linkcode complete}. */
export interface CompleteOptions {
  /** The flags and arguments whose completions are fixed values. */
  readonly values: FixedValues;
  /**
   * The flags and arguments whose completions are looked up: `namespace`, `context`, `status
   * names`.
   */
  readonly lookedUp: ReadonlySet<string>;
  /** The flags and arguments whose completions are files. */
  readonly files: ReadonlySet<string>;
  /** The function that looks up completion candidates. */
  readonly lookUp: LookUp;
}

/** The completion of the parser's built-in command `help`, which the program does not list. */
const HELP: Candidate = { word: "help", description: "show help of a command" };

/** Returns the shell completions of the last of `words`. */
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
      ? offer(await options.lookUp(what, line.flags))
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
  const what = `${line.command.name()} ${line.command.registeredArguments[0]?.name() ?? ""}`;
  const fixed = options.values[what];
  if (fixed && line.args.length === 0) return offer(fixed.map((word) => ({ word })));
  if (!options.lookedUp.has(what)) return offer([], options.files.has(what));
  const found = await options.lookUp(what, line.flags);
  return offer(found.filter(({ word }) => !line.args.includes(word)));
}

function flagCandidates(program: Command, command: Command): readonly Candidate[] {
  return optionsOf(program, command).flatMap(({ long, description, hidden }) =>
    long && !hidden ? [{ word: long, description }] : []
  );
}

function isHidden(command: Command): boolean {
  return command.name().startsWith("__");
}

/**
 * Formats shell completions for cobra's scripts: one per line, then the directive for the shell.
 */
export function completionText({ candidates, files }: Completion): string {
  const lines = candidates.map(({ word, description }) =>
    description ? `${word}\t${description.split("\n")[0]}` : word
  );
  const NO_FILES = 4;
  return [...lines, `:${files ? 0 : NO_FILES}`].map((line) => `${line}\n`).join("");
}
