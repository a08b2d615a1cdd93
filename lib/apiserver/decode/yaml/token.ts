/** The types of tokens in a YAML text. */
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

/** A token, and the line that it begins on, from 0. */
export interface Token {
  readonly type: TokenType;
  readonly line: number;
  /** The text of a scalar, the name of an anchor, the handle of a tag, a version. */
  readonly value: string;
  /** The suffix of a tag, after its handle. */
  readonly suffix: string;
  /** Whether a scalar is plain (unquoted). */
  readonly plain: boolean;
}

/** Returns a token. */
export function token(
  type: TokenType,
  line: number,
  value = "",
  suffix = "",
  plain = false,
): Token {
  return { type, line, value, suffix, plain };
}
