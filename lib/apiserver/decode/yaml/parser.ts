// Mirrors `go.yaml.in/yaml/v2/parserc.go, yaml_parser_parse_node`.
import { YamlError } from "./cursor.ts";
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from "./node.ts";
import type { Scanner } from "./scanner.ts";
import { isSteps, PAUSE_AFTER, runSteps, type Steps } from "./steps.ts";
import type { Token, TokenType } from "./token.ts";

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

/** A YAML node, or the steps of parsing it. */
type Parsed = YamlNode | Steps<YamlNode>;

/** The anchor and tag before a YAML node. */
interface Properties {
  readonly line: number;
  readonly anchor: string | undefined;
  readonly tag: string;
}

/** A parser of the first document of a YAML text, with the grammar and the errors of libyaml. */
export class Parser {
  readonly #scanner: Scanner;
  readonly #prefixes = new Map<string, string>();
  readonly #anchors = new Map<string, YamlNode>();

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /**
   * Parses the YAML document into its root node, in steps; `undefined` if the text has none.
   *
   * @throws {YamlError} If the text is not YAML.
   */
  *document(): Generator<void, YamlNode | undefined> {
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
    const root = isEmpty ? emptyScalar(first.line) : yield* runSteps(this.#node(true, false));
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

  /**
   * Parses a YAML node, or returns the steps of parsing a collection.
   *
   * @param block Sets whether the node may be a collection in block style.
   *
   * @param indentless Sets whether a list may have the indentation of the key that the list belongs
   * to.
   */
  #node(block: boolean, indentless: boolean): Parsed {
    if (this.#scanner.peek().type === "alias") return this.#alias(this.#scanner.next());
    return this.#content(this.#properties(), block, indentless);
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

  #content(properties: Properties, block: boolean, indentless: boolean): Parsed {
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

  /**
   * Parses a YAML node, or returns an empty scalar on the given line when one of `ends` follows.
   */
  #nodeUnless(
    ends: readonly TokenType[],
    place: { readonly block: boolean; readonly indentless: boolean; readonly line?: number },
  ): Parsed {
    const { type, line } = this.#scanner.peek();
    if (ends.includes(type)) return emptyScalar(place.line ?? line);
    return this.#node(place.block, place.indentless);
  }

  *#blockSequence(sequence: SequenceNode): Steps<YamlNode> {
    this.#scanner.next();
    yield* this.#entries(sequence, ["block entry", "block end"]);
    const end = this.#scanner.peek();
    if (end.type !== "block end") fail(end, "did not find expected '-' indicator");
    this.#scanner.next();
    return sequence;
  }

  *#indentlessSequence(sequence: SequenceNode): Steps<YamlNode> {
    yield* this.#entries(sequence, ["block entry", "key", "value", "block end"]);
    return sequence;
  }

  /** Parses the entries of a YAML block sequence; an entry is empty where one of `ends` follows. */
  *#entries(
    { items }: SequenceNode,
    ends: readonly TokenType[],
  ): Generator<Steps<YamlNode> | undefined, void, YamlNode> {
    while (this.#scanner.peek().type === "block entry") {
      const { line } = this.#scanner.next();
      const item = this.#nodeUnless(ends, { block: true, indentless: false, line });
      items.push(isSteps(item) ? yield item : item);
      if (items.length % PAUSE_AFTER === 0) yield;
    }
  }

  *#blockMapping(mapping: MappingNode): Steps<YamlNode> {
    this.#scanner.next();
    const { entries } = mapping;
    const ends: readonly TokenType[] = ["key", "value", "block end"];
    for (let token = this.#scanner.peek();; token = this.#scanner.peek()) {
      if (token.type === "block end") break;
      if (token.type !== "key") fail(token, "did not find expected key");
      this.#scanner.next();
      const first = this.#nodeUnless(ends, { block: true, indentless: true, line: token.line });
      const key = isSteps(first) ? yield first : first;
      const { type, line } = this.#scanner.peek();
      if (type === "value") {
        this.#scanner.next();
        const value = this.#nodeUnless(ends, { block: true, indentless: true, line });
        entries.push([key, isSteps(value) ? yield value : value]);
      } else entries.push([key, emptyScalar(line)]);
      if (entries.length % PAUSE_AFTER === 0) yield;
    }
    this.#scanner.next();
    return mapping;
  }

  *#flowSequence(sequence: SequenceNode): Steps<YamlNode> {
    const { items } = sequence;
    this.#scanner.next();
    while (this.#hasFlowEntry("flow sequence end", items.length, "',' or ']'")) {
      const { type, line } = this.#scanner.peek();
      const item = type === "key" ? this.#pair(line) : this.#node(false, false);
      items.push(isSteps(item) ? yield item : item);
      if (items.length % PAUSE_AFTER === 0) yield;
    }
    return sequence;
  }

  /** Parses a YAML mapping of one entry without braces, as in `[a: b]`. */
  *#pair(line: number): Steps<YamlNode> {
    this.#scanner.next();
    const first = this.#scanner.peek();
    const ends: readonly TokenType[] = ["value", "flow entry", "flow sequence end"];
    const isEmpty = ends.includes(first.type);
    // libyaml skips the token that stands for an empty key.
    if (isEmpty) this.#scanner.next();
    const begun = isEmpty ? emptyScalar(first.line) : this.#node(false, false);
    const key = isSteps(begun) ? yield begun : begun;
    const value = this.#flowValue("flow sequence end");
    return { kind: "mapping", line, entries: [[key, isSteps(value) ? yield value : value]] };
  }

  *#flowMapping(mapping: MappingNode): Steps<YamlNode> {
    const { entries } = mapping;
    const ends: readonly TokenType[] = ["value", "flow entry", "flow mapping end"];
    this.#scanner.next();
    while (this.#hasFlowEntry("flow mapping end", entries.length, "',' or '}'")) {
      const { type, line } = this.#scanner.peek();
      const hasValue = type === "key";
      if (hasValue) this.#scanner.next();
      const first = hasValue
        ? this.#nodeUnless(ends, { block: false, indentless: false, line })
        : this.#node(false, false);
      const key = isSteps(first) ? yield first : first;
      const value = hasValue
        ? this.#flowValue("flow mapping end")
        : emptyScalar(this.#scanner.peek().line);
      entries.push([key, isSteps(value) ? yield value : value]);
      if (entries.length % PAUSE_AFTER === 0) yield;
    }
    return mapping;
  }

  #flowValue(end: TokenType): Parsed {
    const { type, line } = this.#scanner.peek();
    if (type !== "value") return emptyScalar(line);
    this.#scanner.next();
    return this.#nodeUnless(["flow entry", end], { block: false, indentless: false });
  }

  /**
   * Reports whether another entry of a YAML flow collection (`[...]` or `{...}`) follows its first
   * `count`; skips the comma before it, or the end. A trailing comma is allowed.
   */
  #hasFlowEntry(end: TokenType, count: number, expected: string): boolean {
    if (count > 0 && this.#scanner.peek().type !== end) {
      const token = this.#scanner.peek();
      if (token.type !== "flow entry") fail(token, `did not find expected ${expected}`);
      this.#scanner.next();
    }
    if (this.#scanner.peek().type !== end) return true;
    this.#scanner.next();
    return false;
  }
}

function emptyScalar(line: number): ScalarNode {
  return { kind: "scalar", line, value: "", tag: "", implicit: true };
}

/**
 * Throws an error about the structure of a YAML document. kube-apiserver counts lines from 0 here,
 * and omits line 0.
 */
function fail({ line }: Token, problem: string): never {
  throw new YamlError(`yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`);
}
