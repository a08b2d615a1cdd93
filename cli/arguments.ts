import type { Command } from "@commander-js/extra-typings";

/**
 * Normalizes flags as kubectl's users write them to the form that the parser accepts: `-n=default`
 * to `-n default`, `--watch=true` to `--watch`, and `--watch=false` to `--no-watch`, or to nothing
 * if there is no switch `--no-watch`.
 *
 * `switches` are the flags that take no value; see {@linkcode switchesOf}. All other arguments,
 * such as `--output=json`, and those after `--` are unchanged.
 */
export function spellArguments(
  args: readonly string[],
  switches: ReadonlySet<string>,
): readonly string[] {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  const rest = end < 0 ? [] : args.slice(end);
  return [...flags.flatMap((arg) => spell(arg, switches)), ...rest];
}

/** Returns the switches that commands declare: the flags, short and long, that take no value. */
export function switchesOf(
  commands: readonly Pick<Command, "options">[],
): ReadonlySet<string> {
  const options = commands.flatMap((command) => command.options);
  const switches = options.filter(({ required, optional }) => !required && !optional);
  return new Set(
    switches.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined)),
  );
}

function spell(arg: string, switches: ReadonlySet<string>): readonly string[] {
  const [, flag, value] = /^(-[A-Za-z]|--[a-z][a-z-]*)=(.*)$/s.exec(arg) ?? [];
  if (flag === undefined || value === undefined) return [arg];
  if (switches.has(flag)) {
    if (/^(true|t|1)$/i.test(value)) return [flag];
    if (/^(false|f|0)$/i.test(value)) {
      const negation = `--no-${flag.slice(2)}`;
      return switches.has(negation) ? [negation] : [];
    }
    return [arg];
  }
  return flag.startsWith("--") ? [arg] : [flag, value];
}

/** Returns a text as one word for a POSIX shell, in single quotes if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
