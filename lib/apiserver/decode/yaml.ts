/**
 * YAML as the real server reads it: YAML 1.1 (`yes` is true, `0777` is 511), keys that become strings,
 * the last of a repeated key. What it refuses is refused here, in the same words.
 *
 * @module
 */
import { checkRead, readableText } from "./yaml/characters.ts";
import { YamlError } from "./yaml/cursor.ts";
import { Decoder } from "./yaml/decoder.ts";
import type { YamlNode } from "./yaml/node.ts";
import { readOneLineJson } from "./yaml/one_line_json.ts";
import { Parser } from "./yaml/parser.ts";
import { Scanner } from "./yaml/scanner.ts";

/** A YAML document as a JSON tree. */
export interface YamlDocument {
  /** Its objects' keys are in order, as those of JSON that the real server makes of it are. */
  readonly tree: unknown;
  /** `line 3: key "a" already set in map`, in the order of the text. */
  readonly duplicates: readonly string[];
}

/**
 * Reads the first document of a text; what comes behind it is not looked at. No document is `null`.
 *
 * @throws {Error} When it is not YAML; the message begins with `yaml: `, as the real server's does.
 */
export function parseYaml(source: string | Uint8Array): YamlDocument {
  const json = typeof source === "string" ? undefined : readOneLineJson(source);
  if (json) return { tree: json.tree, duplicates: [] };
  const root = parse(source);
  if (root === undefined) return { tree: null, duplicates: [] };
  const decoder = new Decoder();
  const tree = decoder.decode(root);
  return { tree, duplicates: decoder.duplicates };
}

function parse(source: string | Uint8Array): YamlNode | undefined {
  const readable = readableText(source);
  const scanner = new Scanner(readable.text);
  let root: YamlNode | undefined;
  try {
    root = new Parser(scanner).document();
  } catch (error) {
    if (error instanceof YamlError) checkRead(readable, scanner.at);
    throw error;
  }
  checkRead(readable, scanner.at);
  return root;
}
