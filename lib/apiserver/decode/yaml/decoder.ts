import { setField } from "@xca/apimachinery/internal/values";
import { YamlError } from "./cursor.ts";
import { goSyntax, keyText, unsupportedKey } from "./keys.ts";
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from "./node.ts";
import { resolveScalar, type YamlScalar } from "./scalar.ts";

const MERGE_TAG = "tag:yaml.org,2002:merge";
/** Up to how many nodes nearly all may come of aliases, and from how many on a tenth at most. */
const FEW_NODES = 400_000;
const MANY_NODES = 4_000_000;

/** The entries by key; each has the name that the key becomes in JSON. */
type YamlMap = Map<YamlScalar, readonly [name: string, value: unknown]>;

/** Gives the nodes of a document their meaning as JSON, as go.yaml.in/yaml/v2 and sigs.k8s.io/yaml do. */
export class Decoder {
  /** `line 3: key "a" already set in map`, in the order in which they are met. */
  readonly duplicates: string[] = [];
  readonly #open = new Set<AliasNode>();
  #nodes = 0;
  #fromAliases = 0;
  #unconvertible: Error | undefined;

  /** @throws {Error} When the document means no JSON. */
  decode(root: YamlNode): unknown {
    const tree = this.#value(root);
    // A syntax error takes precedence over an inconvertible value, wherever it stands.
    if (this.#unconvertible) throw this.#unconvertible;
    return tree;
  }

  #value(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case "alias":
        return this.#throughAlias(node, (target) => this.#value(target));
      case "scalar":
        return this.#scalar(node);
      case "sequence":
        return node.items.map((item) => this.#value(item));
      case "mapping": {
        const map = new Map() as YamlMap;
        this.#fill(map, node);
        return objectOf(map);
      }
    }
  }

  /** Refuses what aliases blow up. */
  #count(): void {
    this.#nodes++;
    if (this.#open.size > 0) this.#fromAliases++;
    if (this.#fromAliases <= 100 || this.#nodes <= 1000) return;
    const many = Math.min(1, Math.max(0, (this.#nodes - FEW_NODES) / (MANY_NODES - FEW_NODES)));
    if (this.#fromAliases / this.#nodes > 0.99 - 0.89 * many) {
      throw new YamlError("yaml: document contains excessive aliasing");
    }
  }

  #throughAlias<T>(alias: AliasNode, decode: (target: YamlNode) => T): T {
    if (this.#open.has(alias)) {
      throw new YamlError(`yaml: anchor '${alias.name}' value contains itself`);
    }
    this.#open.add(alias);
    const value = decode(alias.target);
    this.#open.delete(alias);
    return value;
  }

  #fill(map: YamlMap, { entries }: MappingNode): void {
    for (const [key, value] of entries) {
      if (isMerge(key)) this.#merge(map, value);
      else this.#entry(map, this.#key(key), value);
    }
  }

  #entry(map: YamlMap, key: ScalarNode, value: YamlNode): void {
    const name = resolveScalar(key);
    const decoded = this.#value(value);
    if (map.has(name)) {
      const shown = goSyntax(key, true);
      this.duplicates.push(`line ${value.line + 1}: key ${shown} already set in map`);
    }
    const text = typeof name === "string" ? name : keyText(key);
    if (text === undefined) this.#unconvertible ??= unsupportedKey(key, value);
    map.set(name, [text ?? "", decoded]);
  }

  #key(node: YamlNode): ScalarNode {
    this.#count();
    if (node.kind === "alias") return this.#throughAlias(node, (target) => this.#key(target));
    if (node.kind === "scalar") return node;
    this.#value(node);
    throw new YamlError(`yaml: invalid map key: ${goSyntax(node)}`);
  }

  /** Puts the entries of other mappings where `<<` stands: over those before it, under those after. */
  #merge(map: YamlMap, node: YamlNode): void {
    if (node.kind !== "sequence") return this.#mergeOne(map, node);
    for (const item of node.items.toReversed()) this.#mergeOne(map, item);
  }

  #mergeOne(map: YamlMap, node: YamlNode): void {
    this.#count();
    if (node.kind === "mapping") return this.#fill(map, node);
    if (node.kind !== "alias" || node.target.kind !== "mapping") {
      throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
    }
    const { target } = node;
    this.#throughAlias(node, () => {
      this.#count();
      this.#fill(map, target);
    });
  }

  #scalar(node: ScalarNode): unknown {
    const value = resolveScalar(node);
    // As JSON has it, a zero has no sign.
    if (typeof value === "bigint" || value === 0) return Number(value) + 0;
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    const shown = value > 0 ? "+Inf" : value < 0 ? "-Inf" : "NaN";
    this.#unconvertible ??= new Error(`json: unsupported value: ${shown}`);
    return null;
  }
}

/** Its keys in order, as those of the JSON that the real server makes of it are. */
function objectOf(map: YamlMap): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const members = [...map.values()].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  for (const [name, value] of members) setField(object, name, value);
  return object;
}

function isMerge(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === "<<" &&
    (node.implicit || node.tag === MERGE_TAG);
}
