// Mirrors `go.yaml.in/yaml/v2/decode.go, node`.

/**
 * A node of a YAML document, before its type is resolved; `line` is the line that the node begins
 * on, from 0.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A YAML scalar: a text with an optional tag. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string;
  /** The full tag of the YAML scalar, empty if there is none. */
  readonly tag: string;
  /**
   * Reports whether the YAML scalar is plain and without a tag, so that its type follows from its
   * text. Set also for the tag `!`, with which the scalar is a text.
   */
  readonly implicit: boolean;
}

/** A YAML sequence, with its items in text order. */
export interface SequenceNode {
  readonly kind: "sequence";
  readonly line: number;
  readonly items: YamlNode[];
}

/** A YAML mapping, with its entries in text order. */
export interface MappingNode {
  readonly kind: "mapping";
  readonly line: number;
  readonly entries: (readonly [key: YamlNode, value: YamlNode])[];
}

/** A YAML alias, which stands for the node of an anchor. */
export interface AliasNode {
  readonly kind: "alias";
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
