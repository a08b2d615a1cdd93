import { type Cursor, isBlank, isBreak, isBreakOrEnd } from "./cursor.ts";

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Returns the value of the literal (`|`) or folded (`>`) YAML scalar at the cursor, in a block
 * indented by `outer` columns (-1 outside of blocks), and moves the cursor past the scalar
 * (`go.yaml.in/yaml/v2/scannerc.go, yaml_parser_scan_block_scalar`).
 *
 * @throws {YamlError} If the header is invalid, or a tab stands in the indentation.
 */
export function scanBlockScalar(cursor: Cursor, outer: number, literal: boolean): string {
  cursor.at++;
  const { chomping, increment } = scanHeader(cursor);
  let indent = increment === 0 ? 0 : Math.max(outer, 0) + increment;
  let breaks = scanBreaks(cursor, indent);
  if (indent === 0) indent = Math.max(breaks.deepest, outer + 1, 1);
  let value = "";
  let last = "";
  let afterBlank = false;
  while (cursor.column === indent && cursor.peek() !== 0) {
    const blank = isBlank(cursor.peek());
    const folds = !literal && !afterBlank && !blank && last === "\n";
    if (!folds) value += last;
    else if (breaks.text === "") value += " ";
    value += breaks.text;
    afterBlank = blank;
    const start = cursor.at;
    cursor.skipToBreak();
    value += cursor.text.slice(start, cursor.at);
    // A text that ends without a line break gives the scalar none.
    last = isBreak(cursor.peek()) ? cursor.readBreak() : "";
    breaks = scanBreaks(cursor, indent);
  }
  if (chomping !== MINUS) value += last;
  return chomping === PLUS ? value + breaks.text : value;
}

function scanHeader(cursor: Cursor): { readonly chomping: number; readonly increment: number } {
  let chomping = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  if (chomping === 0) chomping = scanChomping(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) cursor.fail("did not find expected comment or line break");
  if (cursor.peek() !== 0) cursor.readBreak();
  return { chomping, increment };
}

function scanChomping(cursor: Cursor): number {
  const code = cursor.peek();
  if (code !== PLUS && code !== MINUS) return 0;
  cursor.at++;
  return code;
}

function scanIncrement(cursor: Cursor): number {
  const digit = cursor.peek() - 0x30;
  if (digit === 0) cursor.fail("found an indentation indicator equal to 0");
  if (digit < 0 || digit > 9) return 0;
  cursor.at++;
  return digit;
}

/**
 * Scans the empty lines of a block scalar and the indentation of the following line. Returns the
 * line breaks, and the deepest indentation of these lines. An `indent` of 0 means that the
 * indentation of the scalar is not yet known.
 */
function scanBreaks(
  cursor: Cursor,
  indent: number,
): { readonly text: string; readonly deepest: number } {
  let text = "";
  let deepest = 0;
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && cursor.peek() === SPACE) cursor.at++;
    deepest = Math.max(deepest, cursor.column);
    if ((indent === 0 || cursor.column < indent) && cursor.peek() === TAB) {
      cursor.fail("found a tab character where an indentation space is expected");
    }
    if (!isBreak(cursor.peek())) return { text, deepest };
    text += cursor.readBreak();
  }
}
