/**
 * Reads YAML as kube-apiserver does (`sigs.k8s.io/yaml/yaml.go, YAMLToJSON`, on
 * go.yaml.in/yaml/v2): YAML 1.1, in which `yes` is true and `0777` is 511; keys become strings, and
 * of a repeated key the last value counts. Errors have the same messages.
 *
 * @module
 */
import { runAll } from "@xca/apimachinery/internal/base";
import { checkRead, readableText } from "./yaml/characters.ts";
import { YamlError } from "./yaml/cursor.ts";
import { Decoder } from "./yaml/decoder.ts";
import type { YamlNode } from "./yaml/node.ts";
import { readOneLineJson } from "./yaml/one_line_json.ts";
import { Parser } from "./yaml/parser.ts";
import { Scanner } from "./yaml/scanner.ts";

/** A parsed YAML document: its JSON value, and the messages about repeated keys. */
export interface YamlDocument {
  /**
   * The value of the YAML document; the keys of its objects are sorted, as in the JSON that
   * kube-apiserver makes of it.
   */
  readonly tree: unknown;
  /**
   * The messages about repeated keys of the YAML document, such as
   * `line 3: key "a" already set in map`, in decoding order: the messages about a value come before
   * the message about its key.
   */
  readonly duplicates: readonly string[];
}

/**
 * Parses the first document of a YAML text; the value is `null` if the text has no document. The
 * text after the document is ignored.
 *
 * @throws {YamlError} If the text is not YAML; the message begins with `yaml: `.
 *
 * @throws {Error} If JSON cannot represent the value or a key.
 */
export function parseYaml(source: string | Uint8Array): YamlDocument {
  return runAll(parseYamlInSteps(source));
}

/**
 * Parses the first document of a YAML text as {@linkcode parseYaml} does, in steps between which
 * other work may run.
 */
export function* parseYamlInSteps(source: string | Uint8Array): Generator<void, YamlDocument> {
  const json = typeof source === "string" ? undefined : readOneLineJson(source);
  if (json) return { tree: json.tree, duplicates: [] };
  const root = yield* parse(source);
  if (root === undefined) return { tree: null, duplicates: [] };
  const decoder = new Decoder();
  const tree = yield* decoder.decode(root);
  return { tree, duplicates: decoder.duplicates };
}

function* parse(source: string | Uint8Array): Generator<void, YamlNode | undefined> {
  const readable = readableText(source);
  const scanner = new Scanner(readable.text);
  let root: YamlNode | undefined;
  try {
    root = yield* new Parser(scanner).document();
  } catch (error) {
    if (error instanceof YamlError) checkRead(readable, scanner.at);
    throw error;
  }
  checkRead(readable, scanner.at);
  return root;
}
