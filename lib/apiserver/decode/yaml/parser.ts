import { YamlError } from "./cursor.ts";
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from "./node.ts";
import type { Scanner } from "./scanner.ts";
import type { Token, TokenType } from "./token.ts";

const MAX_DEPTH = 1_000;
const TAG_PREFIXES: readonly (readonly [handle: string, prefix: string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];
const NEXT_DOCUMENT: ReadonlySet<TokenType> = new Set<TokenType>([
  "version directive",
  "tag directive",
  "document start",
  "document end",
  "stream end",
]);

/** The anchor and tag before a node. */
interface Properties {
  readonly line: number;
  readonly anchor: string | undefined;
  readonly tag: string;
}

/** Reads the first document of a text. Follows libyaml's grammar, its errors too. */
export class Parser {
  readonly #scanner: Scanner;
  readonly #prefixes = new Map<string, string>();
  readonly #anchors = new Map<string, YamlNode>();
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** `undefined` when there is no document at all. @throws {YamlError} */
  document(): YamlNode | undefined {
    const { type } = this.#scanner.peek();
    if (type === "stream end") return undefined;
    let isExplicit = false;
    if (["version directive", "tag directive", "document start"].includes(type)) {
      isExplicit = true;
      this.#directives();
      const start = this.#scanner.peek();
      if (start.type !== "document start") fail(start, "did not find expected <document start>");
      this.#scanner.next();
    }
    for (const [handle, prefix] of TAG_PREFIXES) {
      if (!this.#prefixes.has(handle)) this.#prefixes.set(handle, prefix);
    }
    const first = this.#scanner.peek();
    const isEmpty = isExplicit && NEXT_DOCUMENT.has(first.type);
    const root = isEmpty ? emptyScalar(first.line) : this.#node(true, false);
    // Peeks at the next token: a document ends where a token follows that does not belong to it.
    this.#scanner.peek();
    return root;
  }

  #directives(): void {
    let version = false;
    for (let token = this.#scanner.peek();; token = this.#scanner.peek()) {
      if (token.type === "version directive") {
        if (version) fail(token, "found duplicate %YAML directive");
        if (token.value !== "1.1") fail(token, "found incompatible YAML document");
        version = true;
      } else if (token.type === "tag directive") {
        if (this.#prefixes.has(token.value)) fail(token, "found duplicate %TAG directive");
        this.#prefixes.set(token.value, token.suffix);
      } else return;
      this.#scanner.next();
    }
  }

  /** @param indentless whether a list may stand at the indentation of the key that it belongs to. */
  #node(block: boolean, indentless: boolean): YamlNode {
    if (++this.#depth > MAX_DEPTH) {
      throw new YamlError(`yaml: exceeded max depth of ${MAX_DEPTH}`);
    }
    try {
      if (this.#scanner.peek().type === "alias") return this.#alias(this.#scanner.next());
      return this.#content(this.#properties(), block, indentless);
    } finally {
      this.#depth--;
    }
  }

  #alias({ value: name, line }: Token): YamlNode {
    const target = this.#anchors.get(name);
    if (!target) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    return { kind: "alias", line, name, target };
  }

  #properties(): Properties {
    const { line } = this.#scanner.peek();
    let anchor: string | undefined;
    let tag: Token | undefined;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.type === "anchor" && anchor === undefined) anchor = token.value;
      else if (token.type === "tag" && tag === undefined) tag = token;
      else break;
      this.#scanner.next();
    }
    return { line, anchor, tag: tag ? this.#tagOf(tag) : "" };
  }

  #tagOf(token: Token): string {
    if (token.value === "") return token.suffix;
    const prefix = this.#prefixes.get(token.value);
    const tag = prefix === undefined ? "" : prefix + token.suffix;
    return tag === "" ? fail(token, "found undefined tag handle") : tag;
  }

  #content(properties: Properties, block: boolean, indentless: boolean): YamlNode {
    const token = this.#scanner.peek();
    switch (token.type) {
      case "scalar":
        this.#scanner.next();
        return this.#scalar(token, properties);
      case "flow sequence start":
        return this.#flowSequence(this.#sequence(properties));
      case "flow mapping start":
        return this.#flowMapping(this.#mapping(properties));
      case "block entry":
        if (indentless) return this.#indentlessSequence(this.#sequence(properties));
        break;
      case "block sequence start":
        if (block) return this.#blockSequence(this.#sequence(properties));
        break;
      case "block mapping start":
        if (block) return this.#blockMapping(this.#mapping(properties));
    }
    const { line, anchor, tag } = properties;
    if (anchor === undefined && tag === "") fail(token, "did not find expected node content");
    const empty: ScalarNode = { kind: "scalar", line, value: "", tag, implicit: tag === "" };
    return this.#named(anchor, empty);
  }

  #named<T extends YamlNode>(anchor: string | undefined, node: T): T {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #scalar({ value, plain }: Token, { anchor, tag, line }: Properties): ScalarNode {
    const implicit = tag === "!" || (tag === "" && plain);
    return this.#named(anchor, { kind: "scalar", line, value, tag, implicit });
  }

  #sequence({ anchor, line }: Properties): SequenceNode {
    return this.#named(anchor, { kind: "sequence", line, items: [] });
  }

  #mapping({ anchor, line }: Properties): MappingNode {
    return this.#named(anchor, { kind: "mapping", line, entries: [] });
  }

  /** A node, or an empty scalar on the given line, when one of those tokens comes instead. */
  #nodeUnless(
    ends: readonly TokenType[],
    place: { readonly block: boolean; readonly indentless: boolean; readonly line?: number },
  ): YamlNode {
    const { type, line } = this.#scanner.peek();
    if (ends.includes(type)) return emptyScalar(place.line ?? line);
    return this.#node(place.block, place.indentless);
  }

  #blockSequence(sequence: SequenceNode): SequenceNode {
    this.#scanner.next();
    while (this.#scanner.peek().type === "block entry") {
      const { line } = this.#scanner.next();
      const place = { block: true, indentless: false, line };
      sequence.items.push(this.#nodeUnless(["block entry", "block end"], place));
    }
    const end = this.#scanner.peek();
    if (end.type !== "block end") fail(end, "did not find expected '-' indicator");
    this.#scanner.next();
    return sequence;
  }

  #indentlessSequence(sequence: SequenceNode): SequenceNode {
    while (this.#scanner.peek().type === "block entry") {
      const { line } = this.#scanner.next();
      const place = { block: true, indentless: false, line };
      sequence.items.push(this.#nodeUnless(["block entry", "key", "value", "block end"], place));
    }
    return sequence;
  }

  #blockMapping(mapping: MappingNode): MappingNode {
    this.#scanner.next();
    const ends: readonly TokenType[] = ["key", "value", "block end"];
    for (let token = this.#scanner.peek();; token = this.#scanner.peek()) {
      if (token.type === "block end") break;
      if (token.type !== "key") fail(token, "did not find expected key");
      this.#scanner.next();
      const key = this.#nodeUnless(ends, { block: true, indentless: true, line: token.line });
      const { type, line } = this.#scanner.peek();
      if (type === "value") {
        this.#scanner.next();
        const place = { block: true, indentless: true, line };
        mapping.entries.push([key, this.#nodeUnless(ends, place)]);
      } else mapping.entries.push([key, emptyScalar(line)]);
    }
    this.#scanner.next();
    return mapping;
  }

  #flowSequence(sequence: SequenceNode): SequenceNode {
    this.#flowEntries("flow sequence end", "did not find expected ',' or ']'", () => {
      const { type, line } = this.#scanner.peek();
      sequence.items.push(type === "key" ? this.#pair(line) : this.#node(false, false));
    });
    return sequence;
  }

  /** A mapping of one entry, without braces. */
  #pair(line: number): MappingNode {
    this.#scanner.next();
    const first = this.#scanner.peek();
    const ends: readonly TokenType[] = ["value", "flow entry", "flow sequence end"];
    const isEmpty = ends.includes(first.type);
    // The token that stands for an empty key is passed, as libyaml does it.
    if (isEmpty) this.#scanner.next();
    const key = isEmpty ? emptyScalar(first.line) : this.#node(false, false);
    return { kind: "mapping", line, entries: [[key, this.#flowValue("flow sequence end")]] };
  }

  #flowMapping(mapping: MappingNode): MappingNode {
    this.#flowEntries("flow mapping end", "did not find expected ',' or '}'", () => {
      const { type, line } = this.#scanner.peek();
      if (type !== "key") {
        const key = this.#node(false, false);
        mapping.entries.push([key, emptyScalar(this.#scanner.peek().line)]);
        return;
      }
      this.#scanner.next();
      const ends: readonly TokenType[] = ["value", "flow entry", "flow mapping end"];
      const key = this.#nodeUnless(ends, { block: false, indentless: false, line });
      mapping.entries.push([key, this.#flowValue("flow mapping end")]);
    });
    return mapping;
  }

  #flowValue(end: TokenType): YamlNode {
    const { type, line } = this.#scanner.peek();
    if (type !== "value") return emptyScalar(line);
    this.#scanner.next();
    return this.#nodeUnless(["flow entry", end], { block: false, indentless: false });
  }

  /**
   * Parses the entries of a flow collection: separated by commas, with an optional trailing
   * comma.
   */
  #flowEntries(end: TokenType, problem: string, entry: () => void): void {
    this.#scanner.next();
    for (let first = true; this.#scanner.peek().type !== end; first = false) {
      if (!first) {
        const token = this.#scanner.peek();
        if (token.type !== "flow entry") fail(token, problem);
        this.#scanner.next();
        if (this.#scanner.peek().type === end) break;
      }
      entry();
    }
    this.#scanner.next();
  }
}

function emptyScalar(line: number): ScalarNode {
  return { kind: "scalar", line, value: "", tag: "", implicit: true };
}

/** Throws a structural error. kube-apiserver counts lines from 0 here, and omits line 0. */
function fail({ line }: Token, problem: string): never {
  throw new YamlError(`yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`);
}
