import type { Command, Option } from "@commander-js/extra-typings";

/**
 * An unfinished command line for shell completion, parsed up to the word that is being completed;
 * the result of {@linkcode readCommandLine}.
 */
export interface CommandLine {
  /** The command that an unfinished command line names; the program itself when it names none. */
  readonly command: Command;
  /**
   * The flags of the unfinished command line with their values, by attribute name
   * (`allNamespaces`); `true` for switches.
   */
  readonly flags: Readonly<Record<string, string | true>>;
  /**
   * The positional arguments of the command line before the word to complete, without the names of
   * commands.
   */
  readonly args: readonly string[];
  /**
   * The flag whose value is being completed; `undefined` when the word to complete is a flag, a
   * command or a positional argument.
   */
  readonly valueOf: Option | undefined;
  /**
   * The word of the command line to complete; for `--output=js` only the value, as shells expect.
   */
  readonly word: string;
}

/**
 * Returns the parsed form of an unfinished command line, given as the words after the program's
 * name. The last word, which may be empty, is the one to complete.
 */
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
      const sub = command.commands.find((each) => each.name() === word);
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

/** Returns the flags that a command of the command line accepts: its own and the global ones. */
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
 * Splits `--output=json` and `-o=json` into flag and value, and `-ojson` too when one of `options`
 * is `-o` with a value; returns any other word unchanged, with `undefined` as the value.
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
