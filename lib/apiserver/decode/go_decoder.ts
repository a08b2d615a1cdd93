// Mirrors `internal/golang/encoding/json/decode.go, decodeState`.
import { goQuote, setField } from "@xca/apimachinery/internal/values";
import type { BuiltinType } from "../types/builtin_type.ts";
import { canonicalBase64 } from "./base64.ts";
import { decodeCustom, isObject, jsonWord } from "./custom_value.ts";
import { MILLI } from "./quantity.ts";
import { plainJson, RawNumber, RawObject } from "./raw_json.ts";
import { TypeMismatch } from "./type_mismatch.ts";

/** The maximum number of unknown and repeated fields that strict decoding reports. */
const MAX_STRICT_ERRORS = 100;

/** The decoded fields of a Go struct, or entries of a Go map. */
type Members = Record<string, unknown>;

/**
 * A decoder of JSON into a value of a built-in type, with the rules of kube-apiserver's Go decoder:
 * keys match in their exact case, `null` clears a pointer, map, list or bytes and leaves other
 * values unchanged, a repeated field is decoded over the first, and the first type error is
 * reported after the whole value was read.
 *
 * The result has the set fields only; `complete` adds the others. Each value needs a decoder of its
 * own, which keeps the errors of its value.
 */
export class GoDecoder {
  /**
   * The messages of strict decoding, such as `unknown field "spec.foo"`, each once, in text order;
   * 100 at most.
   */
  readonly strictErrors: Set<string> = new Set();
  readonly #strict: boolean;
  /**
   * The first type error of the JSON value, which the decoder throws after the whole value was
   * read; `undefined` before such an error.
   */
  #saved: Error | undefined;
  /** The innermost Go struct type that the decoder is decoding; `undefined` outside of structs. */
  #struct: BuiltinType | undefined;
  #fields: string[] = [];
  #path = "";
  /**
   * The power of ten to which the decoder rounds quantities up: -3 (thousandths) in resource lists,
   * `undefined` (billionths) elsewhere.
   */
  #finest: number | undefined;

  /**
   * Creates a decoder of Go types.
   *
   * @param strict Sets whether the decoder collects unknown and repeated fields in `strictErrors`.
   */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /**
   * Decodes a JSON value into a built-in type; returns `undefined` for `null`, unless the type is a
   * self-decoding one.
   *
   * @throws {Error} If the value does not match the type; the message is that of Go's decoder.
   */
  decode(type: BuiltinType, raw: unknown): unknown {
    const value = this.#value(type, raw, undefined);
    if (this.#saved) throw this.#saved;
    return value;
  }

  /**
   * Decodes a JSON value into a type, over an earlier value of a repeated field; `undefined` stands
   * for the zero value of a type and for a nil pointer.
   */
  #value(type: BuiltinType, raw: unknown, before: unknown): unknown {
    if (type.shape === "custom") return this.#custom(type, raw);
    if (raw === null) {
      const nil = type.pointer || type.shape === "map" || type.shape === "list" ||
        type.shape === "bytes";
      return nil ? undefined : before;
    }
    switch (type.shape) {
      case "struct":
        return isObject(raw) ? this.#structOf(type, raw, before) : this.#mismatch(type, raw);
      case "map":
        return isObject(raw) ? this.#mapOf(type, raw, before) : this.#mismatch(type, raw);
      case "list":
        return Array.isArray(raw) ? this.#listOf(type, raw) : this.#mismatch(type, raw);
      case "string":
        return typeof raw === "string" ? raw : this.#mismatch(type, raw);
      case "bool":
        return typeof raw === "boolean" ? raw : this.#mismatch(type, raw);
      case "bytes":
        return typeof raw === "string" ? this.#bytes(raw) : this.#byteList(type, raw);
      case "int32":
      case "int64":
        return this.#integer(type, raw);
      case "float64":
        return this.#float(type, raw);
      default:
        return plainJson(raw);
    }
  }

  #structOf(type: BuiltinType, raw: object, before: unknown): Members {
    const members: Members = before === undefined ? {} : before as Members;
    const fields = type.fields!;
    const struct = this.#struct;
    const depth = this.#fields.length;
    const path = this.#path;
    const seen = this.#strict && raw instanceof RawObject ? new Set<string>() : undefined;
    for (const [key, value] of membersOf(raw)) {
      const field = fields[key];
      if (field === undefined) {
        if (this.#strict) this.#strictError("unknown", key);
        continue;
      }
      if (seen?.has(key)) this.#strictError("duplicate", key);
      seen?.add(key);
      this.#struct = type;
      if (field.embedded !== "") this.#fields.push(...field.embedded.split("."));
      this.#fields.push(key);
      if (this.#strict) this.#path = path === "" ? key : `${path}.${key}`;
      const decoded = this.#value(field, value, members[key]);
      if (decoded === undefined) delete members[key];
      else members[key] = decoded;
      this.#struct = struct;
      this.#fields.length = depth;
      this.#path = path;
    }
    return members;
  }

  #mapOf(type: BuiltinType, raw: object, before: unknown): Members {
    const members: Members = before === undefined ? {} : before as Members;
    const values = type.values!;
    const path = this.#path;
    // Rounding to milli-units is a default of every resource list.
    this.#finest = type.goName === "v1.ResourceList" ? MILLI : undefined;
    const seen = this.#strict && raw instanceof RawObject ? new Set<string>() : undefined;
    for (const [key, value] of membersOf(raw)) {
      if (seen?.has(key)) this.#strictError("duplicate", key);
      seen?.add(key);
      if (this.#strict) this.#path = path === "" ? key : `${path}.${key}`;
      setField(members, key, this.#value(values, value, undefined));
      this.#path = path;
    }
    this.#finest = undefined;
    return members;
  }

  #listOf(type: BuiltinType, raw: readonly unknown[]): unknown[] {
    const items = type.items!;
    const path = this.#path;
    return raw.map((value, index) => {
      if (this.#strict) this.#path = `${path}[${index}]`;
      const item = this.#value(items, value, undefined);
      this.#path = path;
      return item;
    });
  }

  #integer(type: BuiltinType, raw: unknown): unknown {
    if (typeof raw !== "number" && !(raw instanceof RawNumber)) return this.#mismatch(type, raw);
    const text = raw instanceof RawNumber ? raw.text : String(raw);
    if (/^-?\d+$/.test(text) && inRange(text, type.shape === "int32" ? 31n : 63n)) {
      // Adding zero turns negative zero into zero.
      return Number(text) + 0;
    }
    return this.#save(new TypeMismatch(`number ${text}`, type.goName));
  }

  #float(type: BuiltinType, raw: unknown): unknown {
    if (typeof raw !== "number" && !(raw instanceof RawNumber)) return this.#mismatch(type, raw);
    const value = raw instanceof RawNumber ? Number(raw.text) : raw;
    if (Number.isFinite(value)) return value;
    return this.#save(new TypeMismatch(`number ${(raw as RawNumber).text}`, type.goName));
  }

  #bytes(raw: string): unknown {
    try {
      return canonicalBase64(raw);
    } catch (error) {
      this.#saved ??= error as Error;
      return undefined;
    }
  }

  /**
   * Decodes bytes (Go's `[]byte`) that are written as a list of numbers. Returns them in base64.
   */
  #byteList(type: BuiltinType, raw: unknown): unknown {
    if (!Array.isArray(raw)) return this.#mismatch(type, raw);
    let text = "";
    for (const item of raw) {
      const value = item instanceof RawNumber ? Number(item.text) : item ?? 0;
      if (typeof value !== "number") this.#save(new TypeMismatch(jsonWord(item), "uint8"));
      else if (!Number.isInteger(value) || value < 0 || value > 255) {
        this.#save(new TypeMismatch(`number ${value}`, "uint8"));
      } else text += String.fromCharCode(value);
    }
    return btoa(text);
  }

  /**
   * Decodes a value of a self-decoding type (Go's `UnmarshalJSON`). Its error ends the decoding,
   * and the value is not searched for unknown fields.
   */
  #custom(type: BuiltinType, raw: unknown): unknown {
    if (raw === null && type.pointer) return undefined;
    try {
      return decodeCustom(type, raw, decodeInner, this.#finest);
    } catch (error) {
      throw error instanceof TypeMismatch ? this.#inContext(error) : error;
    }
  }

  #mismatch(type: BuiltinType, raw: unknown): undefined {
    return this.#save(new TypeMismatch(jsonWord(raw), type.goName));
  }

  #save(error: TypeMismatch): undefined {
    this.#saved ??= this.#inContext(error);
    return undefined;
  }

  #inContext(error: TypeMismatch): TypeMismatch {
    if (this.#fields.length === 0) return error;
    const { value, goType, field } = error;
    const path = [...this.#fields, ...(field === "" ? [] : [field])].join(".");
    const struct = this.#struct?.goName ?? "";
    return new TypeMismatch(value, goType, struct.slice(struct.lastIndexOf(".") + 1), path);
  }

  #strictError(what: "unknown" | "duplicate", key: string): void {
    if (this.strictErrors.size >= MAX_STRICT_ERRORS) return;
    const path = this.#path === "" ? key : `${this.#path}.${key}`;
    this.strictErrors.add(`${what} field ${goQuote(path)}`);
  }
}

function decodeInner(type: BuiltinType, raw: unknown): unknown {
  return new GoDecoder(false).decode(type, raw);
}

function membersOf(raw: object): readonly (readonly [string, unknown])[] {
  return raw instanceof RawObject ? raw.members : Object.entries(raw);
}

function inRange(text: string, bits: bigint): boolean {
  if (text.length < 10) return true;
  const value = BigInt(text);
  return value >= -(1n << bits) && value < 1n << bits;
}
