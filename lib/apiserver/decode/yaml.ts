/**
 * YAML as the real server reads it: YAML 1.1 scalars (`yes` is true, `0777` is 511), keys that become
 * strings, the last of a repeated key. js-yaml parses; what its events mean is said here, since the
 * real server also names the line of each repeated key.
 *
 * @module
 */
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from "js-yaml";
import { goQuote } from "../machinery/go_text.ts";
import { setField } from "../machinery/json_values.ts";
import { resolveScalar } from "./yaml_scalar.ts";

const MAX_DEPTH = 1_000;
/** What aliases may make of one document, in nodes: far above any honest use. */
const MAX_NODES = 1_000_000;

type Event = ReturnType<typeof parseEvents>[number];
type ScalarEvent = Extract<Event, { valueStart: number }>;

/** A YAML document as a JSON tree. */
export interface YamlDocument {
  /** Its objects' keys are in order, as those of JSON that the real server makes of it are. */
  readonly tree: unknown;
  /** `line 3: key "a" already set in map`, in the order of the text. */
  readonly duplicates: readonly string[];
}

/**
 * Reads the first document of a text. No document is `null`.
 *
 * @throws {Error} When it is not YAML; the message begins with `yaml: `, as the real server's does.
 */
export function parseYaml(text: string): YamlDocument {
  try {
    return new Constructor(text, parseEvents(text, { maxDepth: MAX_DEPTH })).document();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new Error(`yaml: ${placeOf(error)}${reasonOf(error, text)}`);
  }
}

const CUT_SHORT = "unexpected end of the stream within a flow collection";

/** The parser's words for what is wrong, and the real server's, where they mean the same. */
const REASONS: Readonly<Record<string, string>> = {
  [CUT_SHORT]: "did not find expected node content",
  "missed comma between flow collection entries": "did not find expected node content",
  "bad indentation of a mapping entry": "mapping values are not allowed in this context",
  "unexpected end of the stream within a single quoted scalar": "found unexpected end of stream",
  "unexpected end of the stream within a double quoted scalar": "found unexpected end of stream",
  "unknown escape sequence": "found unknown escape character",
  "tab characters must not be used in indentation": "found character that cannot start any token",
  "end of the stream or a document separator is expected": "did not find expected key",
};

/** The real server leaves the first line out, unless it says where a text ends too early. */
function placeOf({ mark, reason }: YAMLException): string {
  if (!mark || (mark.line === 0 && reason !== CUT_SHORT)) return "";
  return `line ${mark.line + 1}: `;
}

function reasonOf({ mark, reason }: YAMLException, text: string): string {
  const line = text.split("\n")[mark?.line ?? 0] ?? "";
  if (/^[@`%\t]/.test(line.slice(mark?.column ?? 0)) || line.startsWith("\t")) {
    return "found character that cannot start any token";
  }
  return REASONS[reason] ?? reason;
}

/** Keys in the order in which a map of the real server is written. */
type YamlMap = Map<string, unknown>;

class Constructor {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, unknown>();
  readonly #duplicates: string[] = [];
  #at = 0;
  #nodes = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  document(): YamlDocument {
    if (this.#events.length === 0) return { tree: null, duplicates: [] };
    const first = this.#next();
    if (first.type === EVENT_ID.DOCUMENT) {
      const version = first.directives.find((directive) => directive.kind === "yaml");
      if (version && version.version !== "1.1") {
        throw new Error("yaml: found incompatible YAML document");
      }
    }
    if (this.#events[this.#at]?.type === EVENT_ID.POP) return { tree: null, duplicates: [] };
    const tree = this.#plain(this.#node());
    return { tree, duplicates: this.#duplicates };
  }

  #next(): Event {
    return this.#events[this.#at++]!;
  }

  #node(): unknown {
    const event = this.#next();
    switch (event.type) {
      case EVENT_ID.ALIAS: {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        if (!this.#anchors.has(name)) throw new Error(`yaml: unknown anchor '${name}' referenced`);
        return this.#anchors.get(name);
      }
      case EVENT_ID.SCALAR:
        return this.#named(event, this.#scalar(event));
      case EVENT_ID.SEQUENCE: {
        const items = this.#named(event, [] as unknown[]);
        while (this.#events[this.#at]!.type !== EVENT_ID.POP) items.push(this.#node());
        this.#at++;
        return items;
      }
      case EVENT_ID.MAPPING:
        return this.#mapping(this.#named(event, new Map()));
      default:
        throw new Error("yaml: did not find expected node content");
    }
  }

  #named<T>({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }, value: T): T {
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), value);
    return value;
  }

  #scalar(event: ScalarEvent): unknown {
    const tag = event.tagStart < 0 ? "" : this.#text.slice(event.tagStart, event.tagEnd);
    const value = getScalarValue(this.#text, event);
    return resolveScalar(value, tag, event.style === SCALAR_STYLE.PLAIN);
  }

  #mapping(map: YamlMap): YamlMap {
    const merged: YamlMap[] = [];
    while (this.#events[this.#at]!.type !== EVENT_ID.POP) {
      const event = this.#events[this.#at]!;
      const line = event.type === EVENT_ID.SCALAR ? this.#lineOf(event.valueStart) : 0;
      const isMerge = event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN &&
        getScalarValue(this.#text, event) === "<<";
      const key = this.#node();
      const value = this.#node();
      if (isMerge) {
        merged.push(...mergedMaps(value));
        continue;
      }
      const name = keyText(key, value);
      if (map.has(name)) {
        this.#duplicates.push(`line ${line}: key ${goQuote(name)} already set in map`);
      }
      map.set(name, value);
    }
    this.#at++;
    for (const each of merged) {
      for (const [name, value] of each) if (!map.has(name)) map.set(name, value);
    }
    return map;
  }

  #lineOf(offset: number): number {
    let line = 1;
    for (let at = this.#text.indexOf("\n"); at >= 0 && at < offset;) {
      line++;
      at = this.#text.indexOf("\n", at + 1);
    }
    return line;
  }

  /** Objects of maps, each alias a copy of its own, within a budget. */
  #plain(value: unknown, above: readonly unknown[] = []): unknown {
    if (++this.#nodes > MAX_NODES) throw new Error("yaml: document contains excessive aliasing");
    if (value === null || typeof value !== "object") return value;
    if (above.includes(value)) throw new Error("yaml: anchor contains itself");
    const path = [...above, value];
    if (Array.isArray(value)) return value.map((item) => this.#plain(item, path));
    const object: Record<string, unknown> = {};
    const names = [...(value as YamlMap).keys()].sort((a, b) => a < b ? -1 : 1);
    for (const name of names) {
      setField(object, name, this.#plain((value as YamlMap).get(name), path));
    }
    return object;
  }
}

function mergedMaps(value: unknown): YamlMap[] {
  if (value instanceof Map) return [value];
  if (Array.isArray(value) && value.every((each) => each instanceof Map)) return value;
  throw new Error("yaml: map merge requires map or sequence of maps as the value");
}

function keyText(key: unknown, value: unknown): string {
  if (typeof key === "string") return key;
  if (typeof key === "number" || typeof key === "boolean") return String(key);
  if (key === null) {
    const shown = typeof value === "string" ? goQuote(value) : String(value);
    throw new Error(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
  }
  throw new Error(`yaml: invalid map key: ${JSON.stringify(key instanceof Map ? {} : key)}`);
}
