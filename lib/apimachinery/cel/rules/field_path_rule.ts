// Mirrors `schema/cel/validation.go, ValidFieldPath`.
import type { CelSchema } from "../cel_schema.ts";

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+/g;

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/**
 * Returns a CEL rule's `fieldPath`, such as `.spec.parts['a.b']`, in the form that error messages
 * show, such as `spec.parts[a.b]`; `undefined` if the path is malformed or the schema has no such
 * field.
 */
export function normaliseFieldPath(text: string, root: CelSchema): string | undefined {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join("") !== text) return undefined;
  let schema: CelSchema | undefined = root;
  let path = "";
  for (let at = 0; at < tokens.length; at++) {
    const isKey: boolean = tokens[at] === "[";
    if (!isKey && tokens[at] !== ".") return undefined;
    const token: string | undefined = tokens[++at];
    const name: string | undefined = isKey ? unquote(token) : token;
    if (name === undefined) return undefined;
    if (isKey && tokens[++at] !== "]") return undefined;
    if (schema.properties) {
      path = path === "" ? name : `${path}.${name}`;
      schema = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    } else if (typeof schema.additionalProperties === "object") {
      path = `${path}[${name}]`;
      schema = schema.additionalProperties;
    } else return undefined;
    if (!schema) return undefined;
  }
  return path;
}

function unquote(token: string | undefined): string | undefined {
  if (token === undefined || token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return undefined;
  }
  let isValid = true;
  const text = token.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => {
    const escaped = ESCAPES[letter];
    if (escaped === undefined) isValid = false;
    return escaped ?? "";
  });
  return isValid ? text : undefined;
}
