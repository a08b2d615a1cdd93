/** A value of a document, before its meaning is known. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A text. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string;
  /** In full, empty where there is none. */
  readonly tag: string;
  /** Whether the type follows from the text, without a tag. */
  readonly implicit: boolean;
}

/** A list. */
export interface SequenceNode {
  readonly kind: "sequence";
  readonly line: number;
  readonly items: YamlNode[];
}

/** Keys and values, in the order of the text. */
export interface MappingNode {
  readonly kind: "mapping";
  readonly line: number;
  readonly entries: (readonly [key: YamlNode, value: YamlNode])[];
}

/** Another node once more. */
export interface AliasNode {
  readonly kind: "alias";
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
