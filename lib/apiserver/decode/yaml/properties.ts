/**
 * Scans YAML anchors and tags before a node, and directives at the head of a document. Mirrors
 * `go.yaml.in/yaml/v2/scannerc.go, yaml_parser_scan_anchor` and its siblings.
 *
 * @module
 */
import { type Cursor, isBlank, isBlankOrEnd, isBreakOrEnd, isWord } from "./cursor.ts";
import { type Token, token } from "./token.ts";

/**
 * Returns the token of the YAML anchor (`&a`) or alias (`*a`) at the cursor, and moves the cursor
 * past the anchor or alias.
 *
 * @throws {YamlError} If the name is empty, or followed by a forbidden character.
 */
export function scanAnchor(cursor: Cursor, type: "anchor" | "alias"): Token {
  const { line } = cursor;
  cursor.at++;
  const name = scanWord(cursor);
  if (name === "" || !(isBlankOrEnd(cursor.peek()) || isOneOf(cursor, "?:,]}%@`"))) {
    cursor.fail("did not find expected alphabetic or numeric character");
  }
  return token(type, line, name);
}

/**
 * Returns the token of the YAML tag at the cursor (`!<uri>`, `!handle!suffix`, `!suffix` or `!`),
 * and moves the cursor past the tag.
 *
 * @throws {YamlError} If the tag is invalid, or not followed by white space.
 */
export function scanTag(cursor: Cursor): Token {
  const { line } = cursor;
  let handle = "";
  let suffix: string;
  if (cursor.text[cursor.at + 1] === "<") {
    cursor.at += 2;
    suffix = scanUri(cursor, "");
    if (!isOneOf(cursor, ">")) cursor.fail("did not find the expected '>'");
    cursor.at++;
  } else {
    handle = scanHandle(cursor, false);
    if (handle.length > 1 && handle.endsWith("!")) suffix = scanUri(cursor, "");
    else {
      suffix = scanUri(cursor, handle);
      [handle, suffix] = suffix === "" ? ["", "!"] : ["!", suffix];
    }
  }
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("did not find expected whitespace or line break");
  return token("tag", line, handle, suffix);
}

/**
 * Returns the token of the YAML directive at the cursor, such as `%YAML 1.1`, and moves the cursor
 * to the next line.
 *
 * @throws {YamlError} If the directive is invalid or unknown, or followed by something other than a
 * comment.
 */
export function scanDirective(cursor: Cursor): Token {
  const { line } = cursor;
  cursor.at++;
  const name = scanWord(cursor);
  if (name === "") cursor.fail("could not find expected directive name");
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("found unexpected non-alphabetical character");
  let directive: Token;
  if (name === "YAML") directive = token("version directive", line, scanVersion(cursor));
  else if (name === "TAG") directive = scanTagDirective(cursor, line);
  else cursor.fail("found unknown directive name");
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) cursor.fail("did not find expected comment or line break");
  if (cursor.peek() !== 0) cursor.readBreak();
  return directive;
}

function scanVersion(cursor: Cursor): string {
  cursor.skipBlanks();
  const major = scanVersionNumber(cursor);
  if (!isOneOf(cursor, ".")) cursor.fail("did not find expected digit or '.' character");
  cursor.at++;
  return `${major}.${scanVersionNumber(cursor)}`;
}

function scanVersionNumber(cursor: Cursor): number {
  const start = cursor.at;
  while (isOneOf(cursor, "0123456789")) {
    if (cursor.at - start === 2) cursor.fail("found extremely long version number");
    cursor.at++;
  }
  if (cursor.at === start) cursor.fail("did not find expected version number");
  return Number(cursor.text.slice(start, cursor.at));
}

function scanTagDirective(cursor: Cursor, line: number): Token {
  cursor.skipBlanks();
  const handle = scanHandle(cursor, true);
  if (!isBlank(cursor.peek())) cursor.fail("did not find expected whitespace");
  cursor.skipBlanks();
  const prefix = scanUri(cursor, "");
  if (!isBlankOrEnd(cursor.peek())) cursor.fail("did not find expected whitespace or line break");
  return token("tag directive", line, handle, prefix);
}

function scanHandle(cursor: Cursor, directive: boolean): string {
  if (!isOneOf(cursor, "!")) cursor.fail("did not find expected '!'");
  cursor.at++;
  const handle = `!${scanWord(cursor)}`;
  if (isOneOf(cursor, "!")) {
    cursor.at++;
    return `${handle}!`;
  }
  if (directive && handle !== "!") cursor.fail("did not find expected '!'");
  return handle;
}

/**
 * Returns the URI of a YAML tag or of a `%TAG` directive at the cursor, and moves the cursor past
 * the URI. `head` is the start of a tag that looked like a handle, and becomes the start of the URI
 * without its `!`; otherwise it is empty.
 */
function scanUri(cursor: Cursor, head: string): string {
  let uri = head.slice(1);
  const start = cursor.at;
  while (isWord(cursor.peek()) || isOneOf(cursor, ";/?:@&=+$,.!~*'()[]%")) {
    if (isOneOf(cursor, "%")) uri += scanUriEscapes(cursor);
    else uri += cursor.text[cursor.at++];
  }
  if (head === "" && cursor.at === start) cursor.fail("did not find expected tag URI");
  return uri;
}

/**
 * Returns the character whose percent-encoded bytes in a YAML tag are at the cursor, and moves the
 * cursor past these bytes.
 *
 * @throws {YamlError} If the bytes are not UTF-8.
 */
function scanUriEscapes(cursor: Cursor): string {
  const first = scanOctet(cursor);
  const width = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (width === 0 || first >= 0xf8) cursor.fail("found an incorrect leading UTF-8 octet");
  const bytes = [first];
  while (bytes.length < width) {
    const next = scanOctet(cursor);
    if ((next & 0xc0) !== 0x80) cursor.fail("found an incorrect trailing UTF-8 octet");
    bytes.push(next);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function scanOctet(cursor: Cursor): number {
  const octet = /^%([0-9a-fA-F]{2})$/.exec(cursor.text.slice(cursor.at, cursor.at + 3));
  if (!octet) cursor.fail("did not find URI escaped octet");
  cursor.at += 3;
  return parseInt(octet[1]!, 16);
}

function scanWord(cursor: Cursor): string {
  const start = cursor.at;
  while (isWord(cursor.peek())) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function isOneOf(cursor: Cursor, characters: string): boolean {
  return characters.includes(cursor.text[cursor.at]!);
}
