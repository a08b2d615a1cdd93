// Mirrors `go.yaml.in/yaml/v2/yamlh.go, yaml_token_t`.

/** The type of a token of a YAML text. */
export type TokenType =
  | "stream end"
  | "version directive"
  | "tag directive"
  | "document start"
  | "document end"
  | "block sequence start"
  | "block mapping start"
  | "block end"
  | "flow sequence start"
  | "flow sequence end"
  | "flow mapping start"
  | "flow mapping end"
  | "block entry"
  | "flow entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

/** A token of a YAML text, and the line that it begins on, from 0. */
export interface Token {
  readonly type: TokenType;
  readonly line: number;
  /**
   * The text of the YAML token: of a scalar, the name of an anchor or alias, the handle of a tag or
   * a `%TAG` directive (empty for a tag without handle), or a version. Empty for other tokens.
   */
  readonly value: string;
  /**
   * The suffix of a YAML tag after the tag's handle, the whole tag if it has no handle, or the
   * prefix that a `%TAG` directive defines; empty for other tokens.
   */
  readonly suffix: string;
  /** Reports whether a YAML scalar token is plain (unquoted). */
  readonly plain: boolean;
}

/** Creates a token of a YAML text. */
export function token(
  type: TokenType,
  line: number,
  value = "",
  suffix = "",
  plain = false,
): Token {
  return { type, line, value, suffix, plain };
}
