/**
 * Trees of generated source code, printed in the format of `deno fmt`: on one line if it fits.
 *
 * @module
 */

/** The default line width of `deno fmt`, in characters. */
export const LINE_WIDTH = 80;

/** A tree of generated source code, whose leaves are texts without line ends. */
export type Code = string | ObjectCode | ListCode | CallCode | TextCode;

/** An object literal in generated source code. */
export interface ObjectCode {
  readonly kind: "object";
  /** The fields of the object literal, with names as written in code. */
  readonly fields: readonly (readonly [name: string, value: Code])[];
}

/** An array literal in generated source code. */
export interface ListCode {
  readonly kind: "list";
  /** The items of the array literal. */
  readonly items: readonly Code[];
}

/** A function call in generated source code. */
export interface CallCode {
  readonly kind: "call";
  /** The function that is called, as written in code, such as `s.string` or `fromJson<string>`. */
  readonly callee: string;
  /** The arguments of the function call. */
  readonly args: readonly Code[];
}

/**
 * A node of generated source code: a string literal, which is split over lines if it is the value
 * of a field and long.
 */
export interface TextCode {
  readonly kind: "text";
  /** The value of the string literal. */
  readonly text: string;
}

/** Returns the source code tree of an object literal. */
export function objectCode(fields: ObjectCode["fields"]): ObjectCode {
  return { kind: "object", fields };
}

/**
 * Returns the tree of a function call in TypeScript; `callee` is the function as written in code.
 */
export function callCode(callee: string, ...args: Code[]): CallCode {
  return { kind: "call", callee, args };
}

/**
 * Returns the source code tree of a JSON value as a TypeScript literal; `fieldName` returns the
 * name of a field as written in code.
 */
export function jsonCode(value: unknown, fieldName: (name: string) => string): Code {
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item) => jsonCode(item, fieldName)) };
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .map(([name, field]) => [fieldCode(name, fieldName), jsonCode(field, fieldName)] as const);
    return objectCode(fields);
  }
  return typeof value === "string" ? { kind: "text", text: value } : JSON.stringify(value);
}

/**
 * Returns a field's name as written in an object literal; `__proto__` is escaped, as it would set
 * the prototype.
 */
function fieldCode(name: string, fieldName: (name: string) => string): string {
  return name === "__proto__" ? '["__proto__"]' : fieldName(name);
}

/** Returns the source code of a tree on one line. */
export function flat(code: Code): string {
  if (typeof code === "string") return code;
  switch (code.kind) {
    case "object": {
      if (code.fields.length === 0) return "{}";
      return `{ ${code.fields.map(([name, value]) => `${name}: ${flat(value)}`).join(", ")} }`;
    }
    case "list":
      return `[${code.items.map(flat).join(", ")}]`;
    case "call":
      return `${code.callee}(${code.args.map(flat).join(", ")})`;
    case "text":
      return quoted(code.text);
  }
}

/**
 * Returns the source code of a tree that begins at a column, counted from 0, of a line with an
 * indentation: on one line if it fits. `after` is the number of characters that follow on its last
 * line.
 */
export function print(code: Code, indent: number, column: number, after: number): string {
  const line = flat(code);
  if (typeof code === "string" || column + line.length + after <= LINE_WIDTH) return line;
  const inner = " ".repeat(indent + 2);
  const outer = " ".repeat(indent);
  switch (code.kind) {
    case "object": {
      if (code.fields.length === 0) return line;
      const fields = code.fields.map(([name, value]) =>
        `${inner}${field(name, value, indent + 2)},\n`
      );
      return `{\n${fields.join("")}${outer}}`;
    }
    case "list": {
      if (code.items.length === 0) return line;
      const items = code.items.map((item) =>
        `${inner}${print(item, indent + 2, indent + 2, 1)},\n`
      );
      return `[\n${items.join("")}${outer}]`;
    }
    case "call":
      return printCall(code, indent, column, after);
    case "text":
      return line;
  }
}

function field(name: string, value: Code, indent: number): string {
  const column = indent + name.length + 2;
  if (typeof value === "object" && value.kind === "text") {
    const line = flat(value);
    if (column + line.length + 1 <= LINE_WIDTH) return `${name}: ${line}`;
    const parts = splitText(value.text, LINE_WIDTH - indent - 7).map(quoted);
    const inner = " ".repeat(indent + 2);
    if (parts.length === 1) return `${name}:\n${inner}${parts[0]}`;
    const first = column + parts[0]!.length + 2 <= LINE_WIDTH ? " " : `\n${inner}`;
    return `${name}:${first}${parts.join(` +\n${inner}`)}`;
  }
  return `${name}: ${print(value, indent, column, 1)}`;
}

function printCall(
  { callee, args }: CallCode,
  indent: number,
  column: number,
  after: number,
): string {
  let text = `${callee}(`;
  let at = column + text.length;
  // If one of several arguments is a call over several lines, each argument begins on a new line;
  // objects and arrays may begin on a shared line.
  let isMixed = false;
  for (const [index, arg] of args.entries()) {
    const isLast = index === args.length - 1;
    const printed = print(arg, indent, at, isLast ? after + 1 : 2);
    isMixed ||= args.length > 1 && isCall(arg) && printed.includes("\n");
    text += printed + (isLast ? ")" : ", ");
    const end = printed.lastIndexOf("\n");
    at = (end < 0 ? at + printed.length : printed.length - end - 1) + 2;
  }
  if (!isMixed && isWithinWidth(text, column, after)) return text;
  const inner = " ".repeat(indent + 2);
  const lines = args.map((arg) => `${inner}${print(arg, indent + 2, indent + 2, 1)},\n`);
  return `${callee}(\n${lines.join("")}${" ".repeat(indent)})`;
}

function isCall(code: Code): boolean {
  return typeof code === "object" && code.kind === "call";
}

/**
 * Reports whether the first line of a text, which begins at a column, fits the line width; `after`
 * characters follow a text of one line.
 */
function isWithinWidth(text: string, column: number, after: number): boolean {
  const lines = text.split("\n");
  const only = lines.length === 1 ? after : 0;
  return column + lines[0]!.length + only <= LINE_WIDTH;
}

/**
 * Returns the parts of a text for a string literal over several lines: the text is split after its
 * line ends, and between words where a part would exceed `width` characters, escapes included and
 * quotes not.
 */
function splitText(text: string, width: number): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [text];
  return lines.flatMap((line) => {
    const parts: string[] = [];
    let part = "";
    for (const word of line.match(/[^ ]*( +|$)/g) ?? [line]) {
      if (part !== "" && quoted(part + word).length - 2 > width) {
        parts.push(part);
        part = "";
      }
      part += word;
    }
    return part === "" ? parts : [...parts, part];
  });
}

/**
 * Returns the source text of an exported constant with a generic type of one argument, with a line
 * end. A long value is broken over several lines.
 */
export function typedConstant(name: string, type: string, value: Code): string {
  const head = `export const ${name}: ${type} =`;
  const text = print(value, 0, head.length + 1, 1);
  if (isWithinWidth(text, head.length + 1, 1)) return `${head} ${text};\n`;
  if (head.length <= LINE_WIDTH) return `${head}\n  ${print(value, 2, LINE_WIDTH - 20, 1)};\n`;
  const broken = type.replace(/^([^<]*<)(.*)>$/, "$1\n  $2\n>");
  return `export const ${name}: ${broken} = ${print(value, 0, LINE_WIDTH - 20, 1)};\n`;
}

/**
 * Returns the declaration of a constant in TypeScript, with a line end; `head` is the text before
 * the equals sign.
 */
export function constant(head: string, value: Code): string {
  const [, before, type] = /^([^:]+:) (.*)$/.exec(head) ?? [];
  if (type !== undefined && head.length + 2 > LINE_WIDTH) {
    return `${before}\n  ${type} = ${print(value, 2, type.length + 5, 1)};\n`;
  }
  const text = print(value, 0, head.length + 3, 1);
  if (isWithinWidth(text, head.length + 3, 1)) return `${head} = ${text};\n`;
  const broken = print(value, 2, 2, 1);
  const [, receiver, method] = /^(\w+)(\.[^]*)$/.exec(broken) ?? [];
  if (receiver !== undefined && head.length + 3 + receiver.length <= LINE_WIDTH) {
    return `${head} = ${receiver}\n  ${method};\n`;
  }
  return `${head} =\n  ${broken};\n`;
}

/**
 * Returns the source code of a string literal, with the quotes that need fewer escapes, in doubt
 * double ones.
 */
function quoted(text: string): string {
  const double = JSON.stringify(text);
  const count = (quote: string): number => text.split(quote).length - 1;
  if (count('"') <= count("'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
