import { ConfigError } from "./config.ts";
import { shown } from "./config_place.ts";

const MAX_BYTES = 16 * 2 ** 20;
const MAX_ALIASES = 1_000;

/**
 * A kubeconfig's YAML as plain values, mappings as `Map` (so that `__proto__` is a key like another).
 * JSON is YAML too. Only the first document counts, as with kubectl; no document is `undefined`.
 *
 * The message of what it throws never quotes the text, since the text holds secrets.
 *
 * @throws {ConfigError} When the text is not UTF-8 or not YAML (with line and column), repeats a key,
 * uses an unknown tag, nests deeper than 100, or is larger than 16 MiB.
 */
export async function parseKubeconfigYaml(bytes: Uint8Array, file: string): Promise<unknown> {
  if (bytes.length > MAX_BYTES) {
    throw notParsed(
      file,
      `it has ${bytes.length} bytes, more than ${MAX_BYTES}; is it a kubeconfig?`,
    );
  }
  const text = decodeText(bytes, file);
  const yaml = await import("js-yaml");
  const schema = new yaml.Schema([
    ...yaml.CORE_SCHEMA.tags.filter((tag) =>
      tag.nodeKind !== "mapping" && tag !== yaml.boolCoreTag
    ),
    yaml.boolYaml11Tag,
    yaml.mergeTag,
    yaml.realMapTag,
  ]);
  try {
    return yaml.loadAll(text, { schema, maxAliases: MAX_ALIASES })[0];
  } catch (error) {
    // No cause: the parser's error quotes the text around the fault.
    if (!(error instanceof yaml.YAMLException)) throw notParsed(file, "it is not YAML");
    const at = error.mark ? `line ${error.mark.line + 1}:${error.mark.column + 1}: ` : "";
    throw notParsed(file, `${at}${withoutNames(error.reason)}; correct the YAML there`);
  }
}

function decodeText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
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
