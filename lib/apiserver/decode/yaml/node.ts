/** A node of a document, before its type is resolved. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A scalar. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string;
  /** The full tag, empty if there is none. */
  readonly tag: string;
  /** Whether the type follows from the text, without a tag. */
  readonly implicit: boolean;
}

/** A sequence. */
export interface SequenceNode {
  readonly kind: "sequence";
  readonly line: number;
  readonly items: YamlNode[];
}

/** A mapping, with its entries in text order. */
export interface MappingNode {
  readonly kind: "mapping";
  readonly line: number;
  readonly entries: (readonly [key: YamlNode, value: YamlNode])[];
}

/** An alias of another node. */
export interface AliasNode {
  readonly kind: "alias";
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
