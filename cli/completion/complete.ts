import type { Command } from "@commander-js/extra-typings";
import { optionsOf, readCommandLine } from "./command_line.ts";

/** One thing that the word may become. */
export interface Candidate {
  /** The word. */
  readonly word: string;
  /** What it means, in a few words. */
  readonly description?: string;
}

/** What a completion offers. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether file names are offered too. */
  readonly files: boolean;
}

/** Candidates that are looked up: names of objects, contexts, namespaces. */
export type LookUp = (
  what: string,
  flags: Readonly<Record<string, string | true>>,
) => Promise<readonly Candidate[]>;

/** Fixed values, by the flag's attribute name, or by the command and the name of flag or argument. */
export type FixedValues = Readonly<Record<string, readonly string[]>>;

/** Options for {@linkcode complete}. */
export interface CompleteOptions {
  /** Flags and arguments with a fixed set of values. */
  readonly values: FixedValues;
  /** Flags and arguments whose values are looked up: `namespace`, `context`, `status names`. */
  readonly lookedUp: ReadonlySet<string>;
  /** Flags and arguments whose values are files. */
  readonly files: ReadonlySet<string>;
  /** Looks up candidates. */
  readonly lookUp: LookUp;
}

/** The parser's own command, which is not among those of the program. */
const HELP: Candidate = { word: "help", description: "show help of a command" };

/** Says what the last of `words` may become. */
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
  if (line.command === program) {
    const commands = program.commands.filter((each) => !isHidden(each as Command)).map((each) => ({
      word: each.name(),
      description: each.summary() || each.description(),
    }));
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
  return optionsOf(program, command).flatMap(({ long, description }) =>
    long ? [{ word: long, description }] : []
  );
}

function isHidden(command: Command): boolean {
  return command.name().startsWith("__");
}

/** A completion as cobra's shell scripts read it: a line each, then what else the shell may offer. */
export function completionText({ candidates, files }: Completion): string {
  const lines = candidates.map(({ word, description }) =>
    description ? `${word}\t${description.split("\n")[0]}` : word
  );
  const NO_FILES = 4;
  return [...lines, `:${files ? 0 : NO_FILES}`].map((line) => `${line}\n`).join("");
}
