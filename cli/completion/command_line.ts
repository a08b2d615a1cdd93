import type { Command, Option } from "@commander-js/extra-typings";

/** A command line under way: what stands before the word that is being completed, understood. */
export interface CommandLine {
  /** The command that was chosen; the program itself when none was. */
  readonly command: Command;
  /** The flags given with values, by their attribute name (`allNamespaces`); `true` for switches. */
  readonly flags: Readonly<Record<string, string | true>>;
  /** The arguments given to the command. */
  readonly args: readonly string[];
  /** The flag whose value is being completed. */
  readonly valueOf: Option | undefined;
  /** The word to complete; of `--output=js` only the value, as shells expect it. */
  readonly word: string;
}

/** Understands an unfinished command line: the last of `words` is the one to complete. */
export function readCommandLine(program: Command, words: readonly string[]): CommandLine {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const flags: Record<string, string | true> = {};
  const args: string[] = [];
  let command = program;
  let open: Option | undefined;
  for (const word of before) {
    if (open) {
      flags[open.attributeName()] = word;
      open = undefined;
      continue;
    }
    const options = optionsOf(program, command);
    const [name, value] = splitFlag(word, options);
    const option = options.find((each) => isNamed(each, name));
    if (option && value !== undefined) flags[option.attributeName()] = value;
    else if (option && takesValue(option)) open = option;
    else if (option) flags[option.attributeName()] = true;
    else if (!word.startsWith("-")) {
      const sub = command === program
        ? program.commands.find((each) => each.name() === word)
        : undefined;
      if (sub) command = sub as Command;
      else args.push(word);
    }
  }
  const options = optionsOf(program, command);
  const [name, value] = splitFlag(last);
  const inline = value === undefined
    ? undefined
    : options.find((each) => isNamed(each, name) && takesValue(each));
  return {
    command,
    flags,
    args,
    valueOf: open ?? inline,
    word: inline ? value! : last,
  };
}

/** The flags that a command takes: its own and the global ones. */
export function optionsOf(program: Command, command: Command): readonly Option[] {
  return command === program ? program.options : [...command.options, ...program.options];
}

function isNamed({ short, long }: Option, name: string): boolean {
  return name === short || name === long;
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/**
 * `--output=json` and `-o=json` as flag and value, `-ojson` too when one of `options` is so called and
 * takes a value; anything else as a word alone.
 */
function splitFlag(
  word: string,
  options: readonly Option[] = [],
): readonly [string, string | undefined] {
  const [, name, value] = /^(--?[A-Za-z][A-Za-z-]*)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined) return [name, value];
  const short = options.find((each) => takesValue(each) && each.short === word.slice(0, 2));
  return short && word.length > 2 ? [word.slice(0, 2), word.slice(2)] : [word, undefined];
}
