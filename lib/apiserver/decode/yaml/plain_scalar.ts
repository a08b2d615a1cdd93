// Mirrors `go.yaml.in/yaml/v2/scannerc.go, yaml_parser_scan_plain_scalar`.
import { type Cursor, isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";
import { foldBreaks } from "./quoted_scalar.ts";

const COLON = 0x3a;
const HASH = 0x23;
const TAB = 0x09;

/** A scanned YAML scalar without quotes. */
export interface PlainScalar {
  readonly value: string;
  /** Reports whether line breaks followed the YAML scalar. */
  readonly brokeLine: boolean;
}

/**
 * Returns the YAML scalar without quotes at the cursor, and moves the cursor past the scalar and
 * the white space after it. `indent` is the column of the block (-1 outside of blocks), `inFlow`
 * sets whether the scalar is in a flow collection.
 *
 * @throws {YamlError} If a tab stands in the indentation of a further line.
 */
export function scanPlainScalar(cursor: Cursor, indent: number, inFlow: boolean): PlainScalar {
  let value = "";
  let blanks = "";
  let first = "";
  let more = "";
  let onNewLine = false;
  while (!cursor.atDocumentIndicator() && cursor.peek() !== HASH) {
    const run = scanRun(cursor, inFlow);
    if (run !== "") {
      value += (onNewLine ? foldBreaks(first, more) : blanks) + run;
      blanks = first = more = "";
      onNewLine = false;
    }
    let code = cursor.peek();
    if (!isBlank(code) && !isBreak(code)) break;
    for (; isBlank(code) || isBreak(code); code = cursor.peek()) {
      if (isBlank(code)) {
        if (onNewLine && code === TAB && cursor.column <= indent) {
          cursor.fail("found a tab character that violates indentation");
        }
        if (!onNewLine) blanks += cursor.text[cursor.at];
        cursor.at++;
      } else if (onNewLine) more += cursor.readBreak();
      else {
        blanks = "";
        first = cursor.readBreak();
        onNewLine = true;
      }
    }
    if (!inFlow && cursor.column <= indent) break;
  }
  return { value, brokeLine: onNewLine };
}

/** Reads a plain YAML scalar up to the next space, line break or end of the scalar. */
function scanRun(cursor: Cursor, inFlow: boolean): string {
  const start = cursor.at;
  for (let code = cursor.peek(); !isBlankOrEnd(code); code = cursor.peek()) {
    if (code === COLON && isBlankOrEnd(cursor.peek(1))) break;
    if (inFlow && isFlowIndicator(code)) break;
    cursor.at++;
  }
  return cursor.text.slice(start, cursor.at);
}

/** Reports whether a character is one of `,?[]{}`, which delimit YAML flow collections. */
function isFlowIndicator(code: number): boolean {
  return code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b ||
    code === 0x7d;
}
