import {
  boolCoreTag,
  boolYaml11Tag,
  CORE_SCHEMA,
  loadAll,
  mergeTag,
  realMapTag,
  Schema,
  YAMLException,
} from "js-yaml";
import { ConfigError } from "../config/config.ts";
import { shown } from "../config/config_place.ts";

const MAX_BYTES = 16 * 2 ** 20;
const MAX_ALIASES = 1_000;
const MAX_VALUES = 500_000;

/**
 * Parses the YAML (or JSON, a subset) of a kubeconfig. Mappings become a `Map`, where `__proto__`
 * is a key like any other. Returns the first document, as kubectl does; `undefined` when there is
 * none.
 *
 * Error messages do not quote the text, since it contains secrets.
 *
 * @throws {ConfigError} When the text is not Unicode or not YAML (with line and column), repeats a
 * key, has an unknown tag, has more than 1000 aliases, is nested deeper than 100, is larger than 16
 * MiB, or has more than 500 000 values, where the value of an alias counts once for each use.
 */
export function parseKubeconfigYaml(bytes: Uint8Array, file: string): unknown {
  if (bytes.length > MAX_BYTES) {
    throw notParsed(
      file,
      `it has ${bytes.length} bytes, more than ${MAX_BYTES}; is it a kubeconfig?`,
    );
  }
  const text = decodeText(bytes, file);
  const schema = new Schema([
    ...CORE_SCHEMA.tags.filter((tag) => tag.nodeKind !== "mapping" && tag !== boolCoreTag),
    boolYaml11Tag,
    mergeTag,
    realMapTag,
  ]);
  let value: unknown;
  try {
    [value] = loadAll(text, { schema, maxAliases: MAX_ALIASES });
  } catch (error) {
    // The error has no cause, since the error of the parser quotes the text.
    if (!(error instanceof YAMLException)) throw notParsed(file, "it is not YAML");
    const at = error.mark ? `line ${error.mark.line + 1}:${error.mark.column + 1}: ` : "";
    throw notParsed(file, `${at}${withoutNames(error.reason)}; correct the YAML there`);
  }
  if (valuesOf(value, new Map()) <= MAX_VALUES) return value;
  throw notParsed(
    file,
    `it has more than ${MAX_VALUES} values, or an alias within what it stands for; ` +
      "write out what its aliases stand for",
  );
}

/**
 * Counts the values of a YAML document after expansion of all aliases, since a few lines of nested
 * aliases can expand to more than fits in memory. The count of a value that contains itself is
 * infinite.
 */
function valuesOf(value: unknown, known: Map<object, number>): number {
  if (typeof value !== "object" || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  let count = 1;
  for (const item of value as Iterable<unknown>) count += valuesOf(item, known);
  known.set(value, count);
  return count;
}

/**
 * Returns the decoded text of a kubeconfig file: UTF-8, or UTF-16 with a byte order mark, which `>`
 * writes in PowerShell.
 *
 * @throws {ConfigError} When the bytes are not text of that encoding.
 */
function decodeText(bytes: Uint8Array, file: string): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw notParsed(file, "it is not UTF-8 text; save it as UTF-8");
  }
}

function withoutNames(reason: string): string {
  return shown(reason.replace(/"[^]*"/g, '"..."').replace(/<[^]*>/g, "..."));
}

function notParsed(file: string, reason: string): ConfigError {
  return new ConfigError(`Cannot parse kubeconfig ${shown(file)}: ${reason}`);
}
