const TRUE = new Set(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]);
const FALSE = new Set(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]);
const NULL = new Set(["", "~", "null", "Null", "NULL"]);
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;

/**
 * What a scalar means in YAML 1.1, as the real server's parser has it.
 *
 * @throws {Error} When it is no value of JSON (an infinity), or not of the type that its tag says.
 */
export function resolveScalar(text: string, tag: string, plain: boolean): unknown {
  const short = tag.replace(/^(!!|tag:yaml\.org,2002:|!<tag:yaml\.org,2002:)|>$/g, "");
  if (tag !== "" && tag !== "!") {
    switch (short) {
      case "binary":
        return binary(text);
      case "int":
      case "float":
      case "bool":
      case "null":
        return implicit(text);
      default:
        return text;
    }
  }
  return plain && tag !== "!" ? implicit(text) : text;
}

function implicit(text: string): unknown {
  if (NULL.has(text)) return null;
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) {
    throw new Error(`json: unsupported value: ${text.startsWith("-") ? "-" : "+"}Inf`);
  }
  if (/^\.(nan|NaN|NAN)$/.test(text)) throw new Error("json: unsupported value: NaN");
  if (!/^[-+.0-9]/.test(text)) return text;
  const number = text.replaceAll("_", "");
  const integer = INTEGER.exec(number);
  if (integer) return integerOf(integer[1]!, integer[2]!);
  return FLOAT.test(number) ? Number(number) : text;
}

function integerOf(sign: string, digits: string): number {
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const value = octal ? parseInt(octal[1]!, 8) : Number(digits);
  return sign === "-" ? -value : value;
}

function binary(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new Error("yaml: !!binary value contains invalid base64 data");
  }
}
