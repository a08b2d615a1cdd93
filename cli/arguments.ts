/**
 * Spells arguments as kubectl's users may write them the one way that the parser takes: `-n=default`
 * as `-n default`, `--watch=true` as `--watch`, and `--watch=false` not at all.
 *
 * What stands after `--` stays as it is.
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

function spell(arg: string, switches: ReadonlySet<string>): readonly string[] {
  const [, flag, value] = /^(-[A-Za-z]|--[a-z][a-z-]*)=(.*)$/s.exec(arg) ?? [];
  if (flag === undefined || value === undefined) return [arg];
  if (switches.has(flag)) {
    if (/^(true|t|1)$/i.test(value)) return [flag];
    if (/^(false|f|0)$/i.test(value)) return [];
    return [arg];
  }
  return flag.startsWith("--") ? [arg] : [flag, value];
}

/** A word as a shell takes it for one. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
