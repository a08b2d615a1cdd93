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
        return tagged(text, `!!${short}`);
      default:
        return text;
    }
  }
  return plain && tag !== "!" ? implicit(text) : text;
}

/** What a text means, when that is what its tag says. */
function tagged(text: string, tag: string): unknown {
  const value = implicit(text);
  const found = tagOf(value, text);
  if (found === tag || (found === "!!int" && tag === "!!float")) return value;
  throw new Error(`yaml: cannot decode ${found} \`${text}\` as a ${tag}`);
}

function tagOf(value: unknown, text: string): string {
  if (value === null) return "!!null";
  if (typeof value === "boolean") return "!!bool";
  if (typeof value === "string") return "!!str";
  return INTEGER.test(text.replaceAll("_", "")) ? "!!int" : "!!float";
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
  const whole = integer ? integerOf(integer[1]!, integer[2]!) : undefined;
  if (whole !== undefined) return whole;
  // A number that is too large for any type is text.
  return FLOAT.test(number) && Number.isFinite(Number(number)) ? Number(number) : text;
}

/** `undefined` for what does not fit into 64 bits, which is no integer. */
function integerOf(sign: string, digits: string): number | undefined {
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const magnitude = BigInt(octal ? `0o${octal[1]}` : digits);
  if (magnitude > (sign === "-" ? 2n ** 63n : 2n ** 64n - 1n)) return undefined;
  return sign === "-" ? -Number(magnitude) : Number(magnitude);
}

function binary(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new Error("yaml: !!binary value contains invalid base64 data");
  }
}
