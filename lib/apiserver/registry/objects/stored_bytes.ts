import { type MessageField, messageName, messageOf } from "../../decode/protobuf/messages.ts";
import { base64Length, byteLength } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";

/** The API groups whose objects kube-apiserver stores as JSON. */
const STORED_AS_JSON: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
]);

/**
 * Returns the size in bytes of an object whose JSON is `text` in the storage of kube-apiserver: as
 * protobuf for built-in kinds, where control characters and bytes are not escaped, and as JSON for
 * custom kinds, CustomResourceDefinitions and APIServices.
 */
export function storedBytes(object: ApiObject, text: string): number {
  return protobufBytes(object) ?? byteLength(text);
}

/**
 * Returns the size in bytes of an object as kube-apiserver stores it in protobuf; `undefined` if
 * its kind is stored as JSON.
 */
export function protobufBytes(object: ApiObject): number | undefined {
  const { apiVersion = "", kind = "" } = object;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const name = isOfKubernetes(group) ? messageName(apiVersion, kind) : "";
  return messageOf(name) ? bytesOfMessage(object, name) : undefined;
}

function isOfKubernetes(group: string): boolean {
  return (!group.includes(".") || group.endsWith(".k8s.io")) && !STORED_AS_JSON.has(group);
}

type Tree = Readonly<Record<string, unknown>>;

function bytesOfMessage(tree: Tree, type: string): number {
  let bytes = 0;
  for (const [number, field] of messageOf(type)!) {
    bytes += bytesOfField(field.inline ? tree : tree[field.name], field, number);
  }
  return bytes;
}

function bytesOfField(
  value: unknown,
  { type, shape, keepsEmpty }: MessageField,
  number: number,
): number {
  const tag = bytesOfInteger(number * 8);
  const present = value !== undefined && value !== null;
  if (shape === "list") {
    const values = (present ? value : []) as readonly unknown[];
    return values.reduce<number>((sum, each) => sum + tag + bytesOfValue(each, type), 0);
  }
  if (shape === "map") {
    return Object.entries(present ? value : {}).reduce((sum, [key, inner]) => {
      const entry = 2 + bytesOfValue(key, "s") + bytesOfValue(inner, type);
      return sum + tag + withLength(entry);
    }, 0);
  }
  // Fields that are not pointers are encoded even if empty.
  if (!present && (keepsEmpty || type === "y")) return 0;
  return tag + bytesOfValue(present ? value : EMPTY[type], type);
}

const EMPTY: Readonly<Record<string, unknown>> = { s: "", b: false, d: 0, i: 0 };

/** Returns the size in bytes of a value in protobuf, with its length prefix if its type has one. */
function bytesOfValue(value: unknown, type: string): number {
  if (type === "b") return 1;
  if (type === "d") return 8;
  if (type === "i") return bytesOfInteger(Number(value));
  if (type === "s") return withLength(byteLength(String(value)));
  if (type === "y") return withLength(base64Length(String(value ?? "")));
  if (value === undefined) return withLength(0);
  const isTree = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isTree && !HOLD_JSON.has(type) && messageOf(type)) {
    return withLength(bytesOfMessage(value as Tree, type));
  }
  // Times, quantities and embedded JSON are messages with one text.
  return withLength(1 + withLength(byteLength(JSON.stringify(value))));
}

const HOLD_JSON: ReadonlySet<string> = new Set(["meta.v1.FieldsV1", "runtime.RawExtension"]);

function withLength(bytes: number): number {
  return bytesOfInteger(bytes) + bytes;
}

function bytesOfInteger(value: number): number {
  if (value < 0) return 10;
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}
