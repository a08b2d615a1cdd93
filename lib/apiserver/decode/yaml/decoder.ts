// Mirrors `go.yaml.in/yaml/v2/decode.go, decoder` and `sigs.k8s.io/yaml/yaml.go,
// convertToJSONableObject`.
import { compareTexts, setField } from "@xca/apimachinery/internal/values";
import { YamlError } from "./cursor.ts";
import { goSyntax, keyText, unsupportedKey } from "./keys.ts";
import type { AliasNode, MappingNode, ScalarNode, SequenceNode, YamlNode } from "./node.ts";
import { resolveScalar, type YamlScalar } from "./scalar.ts";
import { isSteps, PAUSE_AFTER, runSteps, type Steps } from "./steps.ts";

const MERGE_TAG = "tag:yaml.org,2002:merge";
/**
 * The number of YAML nodes up to which 99 % may come from aliases; from `MANY_NODES` on, 10 %, and
 * in between a share that falls linearly (go.yaml.in/yaml/v2, `allowedAliasRatio`).
 */
const FEW_NODES = 400_000;
const MANY_NODES = 4_000_000;

/** The entries of a YAML mapping by key; each with the name of the key in JSON. */
type YamlMap = Map<YamlScalar, readonly [name: string, value: unknown]>;

/** A generator of the steps of adding entries to a YAML mapping. */
type Entries = Generator<Steps<unknown> | undefined, void, unknown>;

/**
 * A converter of the nodes of a YAML document to JSON, as go.yaml.in/yaml/v2 and sigs.k8s.io/yaml
 * do.
 */
export class Decoder {
  /**
   * The messages about repeated keys of the YAML document, such as
   * `line 3: key "a" already set in map`, in decoding order.
   */
  readonly duplicates: string[] = [];
  readonly #open = new Set<AliasNode>();
  #nodes = 0;
  #fromAliases = 0;
  #unconvertible: Error | undefined;

  /**
   * Converts the root node of a YAML document to its JSON value, in steps.
   *
   * @throws {YamlError} If the document is not valid YAML, such as one with a list as a key.
   *
   * @throws {Error} If JSON cannot represent the value.
   */
  *decode(root: YamlNode): Generator<void, unknown> {
    const tree = yield* runSteps(this.#value(root));
    // A syntax error takes precedence over an inconvertible value, wherever it stands.
    if (this.#unconvertible) throw this.#unconvertible;
    return tree;
  }

  #value(node: YamlNode): unknown {
    this.#count();
    if (node.kind === "scalar") return this.#scalar(node);
    if (node.kind === "alias") return this.#alias(node);
    return node.kind === "sequence" ? this.#list(node) : this.#map(node);
  }

  *#alias(node: AliasNode): Steps<unknown> {
    using _ = this.#opened(node);
    const value = this.#value(node.target);
    return isSteps(value) ? yield value : value;
  }

  *#list(node: SequenceNode): Steps<unknown> {
    const list: unknown[] = [];
    for (const item of node.items) {
      const value = this.#value(item);
      list.push(isSteps(value) ? yield value : value);
      if (list.length % PAUSE_AFTER === 0) yield;
    }
    return list;
  }

  *#map(node: MappingNode): Steps<unknown> {
    const map = new Map() as YamlMap;
    yield* this.#fill(map, node);
    return objectOf(map);
  }

  /**
   * Counts a converted YAML node against the limits of a document.
   *
   * @throws {YamlError} If too many nodes come from aliases.
   */
  #count(): void {
    this.#nodes++;
    if (this.#open.size > 0) this.#fromAliases++;
    if (this.#fromAliases <= 100 || this.#nodes <= 1000) return;
    const many = Math.min(1, Math.max(0, (this.#nodes - FEW_NODES) / (MANY_NODES - FEW_NODES)));
    if (this.#fromAliases / this.#nodes > 0.99 - 0.89 * many) {
      throw new YamlError("yaml: document contains excessive aliasing");
    }
  }

  /**
   * Marks a YAML alias as being resolved, until disposal.
   *
   * @throws {YamlError} If the target of the alias contains the alias.
   */
  #opened(alias: AliasNode): Disposable {
    if (this.#open.has(alias)) {
      throw new YamlError(`yaml: anchor '${alias.name}' value contains itself`);
    }
    this.#open.add(alias);
    return { [Symbol.dispose]: () => void this.#open.delete(alias) };
  }

  *#fill(map: YamlMap, { entries }: MappingNode): Entries {
    let count = 0;
    for (const [key, value] of entries) {
      if (isMerge(key)) yield* this.#merge(map, value);
      else {yield* this.#entry(
          map,
          key.kind === "scalar" ? this.#counted(key) : yield* this.#key(key),
          value,
        );}
      if (++count % PAUSE_AFTER === 0) yield;
    }
  }

  *#entry(map: YamlMap, key: ScalarNode, value: YamlNode): Entries {
    const name = resolveScalar(key);
    const read = this.#value(value);
    const decoded = isSteps(read) ? yield read : read;
    if (map.has(name)) {
      const shown = goSyntax(key, true);
      this.duplicates.push(`line ${value.line + 1}: key ${shown} already set in map`);
    }
    const text = typeof name === "string" ? name : keyText(key);
    if (text === undefined) this.#unconvertible ??= unsupportedKey(key, value);
    map.set(name, [text ?? "", decoded]);
  }

  #counted(node: ScalarNode): ScalarNode {
    this.#count();
    return node;
  }

  /**
   * Returns the scalar node of a YAML mapping's key, after resolving aliases.
   *
   * @throws {YamlError} If the key is not a scalar.
   */
  *#key(node: YamlNode): Generator<Steps<unknown> | undefined, ScalarNode, unknown> {
    if (node.kind === "scalar") return this.#counted(node);
    this.#count();
    if (node.kind === "alias") {
      using _ = this.#opened(node);
      return yield* this.#key(node.target);
    }
    const value = this.#value(node);
    if (isSteps(value)) yield value;
    throw new YamlError(`yaml: invalid map key: ${goSyntax(node)}`);
  }

  /**
   * Adds the entries of the mappings of a YAML `<<` key to a mapping. They replace the entries
   * before the `<<` key; the entries after the key replace them. Of the mappings in a list, an
   * earlier one replaces the entries of a later one.
   */
  *#merge(map: YamlMap, node: YamlNode): Entries {
    if (node.kind !== "sequence") return yield* this.#mergeOne(map, node);
    for (const item of node.items.toReversed()) yield* this.#mergeOne(map, item);
  }

  *#mergeOne(map: YamlMap, node: YamlNode): Entries {
    this.#count();
    if (node.kind === "mapping") return yield* this.#fill(map, node);
    if (node.kind !== "alias" || node.target.kind !== "mapping") {
      throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
    }
    using _ = this.#opened(node);
    this.#count();
    yield* this.#fill(map, node.target);
  }

  #scalar(node: ScalarNode): unknown {
    const value = resolveScalar(node);
    // JSON writes negative zero as 0.
    if (typeof value === "bigint" || value === 0) return Number(value) + 0;
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    const shown = value > 0 ? "+Inf" : value < 0 ? "-Inf" : "NaN";
    this.#unconvertible ??= new Error(`json: unsupported value: ${shown}`);
    return null;
  }
}

/** Returns a YAML mapping as an object with sorted keys, as Go writes JSON. */
function objectOf(map: YamlMap): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const members = [...map.values()].sort(([a], [b]) => compareTexts(a, b));
  for (const [name, value] of members) setField(object, name, value);
  return object;
}

function isMerge(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === "<<" &&
    (node.implicit || node.tag === MERGE_TAG);
}
