// Mirrors `runtime/serializer/protobuf/protobuf.go, Serializer.Decode`.
import { formatTime } from "@xca/apimachinery/meta";
import { type Message, type MessageField, messageName, messageOf } from "./messages.ts";
import {
  bytesOf,
  doubleOf,
  integerOf,
  textOf,
  WireError,
  WireReader,
  type WireValue,
} from "./wire_reader.ts";

type Tree = Record<string, unknown>;

/** The prefix of every Kubernetes object in protobuf: `k8s` and a zero byte. */
const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/** Reports whether bytes are an object in Kubernetes' protobuf format, by their prefix. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/**
 * Decodes an object in Kubernetes' protobuf format to the value that its JSON would give, without
 * the fields that Go's JSON leaves out when empty. The bytes must begin with the prefix that
 * {@linkcode isProtobuf} looks for, which is not checked again.
 *
 * @throws {WireError} If the bytes are not a valid message, or the kind has no protobuf message.
 */
export function decodeProtobuf(bytes: Uint8Array): Tree {
  // The envelope is an `Unknown`: the kind, and the message of that kind.
  const envelope = fieldsOf(bytes.subarray(MAGIC.length));
  const [type = EMPTY_BYTES] = envelope.get(1) ?? [];
  const [raw = EMPTY_BYTES] = envelope.get(2) ?? [];
  const meta = fieldsOf(bytesOf(type));
  const apiVersion = textAt(meta, 1);
  const kind = textAt(meta, 2);
  const message = messageOf(messageName(apiVersion, kind));
  if (!message) throw new WireError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return { kind, apiVersion, ...readMessage(bytesOf(raw), message) };
}

const EMPTY_BYTES = new Uint8Array(0);

function readMessage(bytes: Uint8Array, message: Message): Tree {
  const tree: Tree = Object.create(null);
  const reader = new WireReader(bytes);
  for (let field = reader.next(); field; field = reader.next()) {
    const known = message.get(field.number);
    if (known) set(tree, known, field.value);
  }
  return { ...tree };
}

function set(tree: Tree, field: MessageField, value: WireValue): void {
  const { name, type, shape } = field;
  if (shape === "list") {
    ((tree[name] ??= []) as unknown[]).push(readValue(value, type));
  } else if (shape === "map") {
    const [key, inner] = readEntry(bytesOf(value), type);
    Object.defineProperty(tree[name] ??= {}, key, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    const inner = readValue(value, type);
    if (field.inline) Object.assign(tree, inner);
    else if (field.keepsEmpty || !isEmpty(inner)) tree[name] = inner;
  }
}

/**
 * Reports whether the value of a protobuf field is empty. Protobuf contains the empty values of
 * fields that are not pointers; JSON leaves them out.
 */
function isEmpty(value: unknown): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function readEntry(bytes: Uint8Array, type: string): [string, unknown] {
  let key = "";
  let inner: unknown = SCALARS[type] ? EMPTY[type] : undefined;
  const reader = new WireReader(bytes);
  for (let field = reader.next(); field; field = reader.next()) {
    if (field.number === 1) key = textOf(field.value);
    else if (field.number === 2) inner = readValue(field.value, type);
  }
  return [key, inner ?? readValue(EMPTY_BYTES, type)];
}

const SCALARS: Readonly<Record<string, (value: WireValue) => unknown>> = {
  s: textOf,
  y: (value) => bytesOf(value).toBase64(),
  b: (value) => integerOf(value) !== 0,
  d: doubleOf,
  i: integerOf,
};
const EMPTY: Readonly<Record<string, unknown>> = { s: "", y: "", b: false, d: 0, i: 0 };

function readValue(value: WireValue, type: string): unknown {
  const scalar = SCALARS[type];
  if (scalar) return scalar(value);
  const special = SPECIAL[type] ?? (type.endsWith(".ExtraValue") ? texts : undefined);
  if (special) return special(bytesOf(value));
  const message = messageOf(type);
  if (!message) throw new WireError(`proto: unknown message ${type}`);
  return readMessage(bytesOf(value), message);
}

/** Returns the values of the fields of a protobuf message, by the field's number. */
function fieldsOf(bytes: Uint8Array): Map<number, WireValue[]> {
  const fields = new Map<number, WireValue[]>();
  const reader = new WireReader(bytes);
  for (let field = reader.next(); field; field = reader.next()) {
    const values = fields.get(field.number);
    if (values) values.push(field.value);
    else fields.set(field.number, [field.value]);
  }
  return fields;
}

function integer(fields: Map<number, WireValue[]>, number: number): number {
  const [value] = fields.get(number) ?? [];
  return value === undefined ? 0 : integerOf(value);
}

/**
 * The decoders of the protobuf messages whose JSON is not an object of their fields, such as times,
 * by name.
 */
const SPECIAL: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  "resource.Quantity": (bytes) => textAt(fieldsOf(bytes), 1),
  "intstr.IntOrString": (bytes) => {
    const fields = fieldsOf(bytes);
    return integer(fields, 1) === 0 ? integer(fields, 2) : textAt(fields, 3);
  },
  "meta.v1.Time": (bytes) => time(bytes),
  "meta.v1.MicroTime": (bytes) => time(bytes, MICRO_DIGITS),
  "meta.v1.Duration": (bytes) => `${integer(fieldsOf(bytes), 1) / 1e9}s`,
  "meta.v1.FieldsV1": json,
  "runtime.RawExtension": json,
  "apiextensions.v1.JSON": json,
  "meta.v1.Verbs": texts,
  "apiextensions.v1.JSONSchemaPropsOrBool": (bytes) => {
    const fields = fieldsOf(bytes);
    const [schema] = fields.get(2) ?? [];
    return schema === undefined ? integer(fields, 1) !== 0 : schemaOf(schema);
  },
  "apiextensions.v1.JSONSchemaPropsOrArray": (bytes) => {
    const fields = fieldsOf(bytes);
    const [schema] = fields.get(1) ?? [];
    return schema === undefined ? (fields.get(2) ?? []).map(schemaOf) : schemaOf(schema);
  },
  "apiextensions.v1.JSONSchemaPropsOrStringArray": (bytes) => {
    const fields = fieldsOf(bytes);
    const [schema] = fields.get(1) ?? [];
    return schema === undefined ? (fields.get(2) ?? []).map(textOf) : schemaOf(schema);
  },
};

function schemaOf(value: WireValue): unknown {
  return readValue(value, "apiextensions.v1.JSONSchemaProps");
}

function textAt(fields: Map<number, WireValue[]>, number: number): string {
  const [value] = fields.get(number) ?? [];
  return value === undefined ? "" : textOf(value);
}

function texts(bytes: Uint8Array): string[] {
  return (fieldsOf(bytes).get(1) ?? []).map(textOf);
}

/** The number of fractional digits of a `MicroTime`. */
const MICRO_DIGITS = 6;
const NANO_DIGITS = 9;

/**
 * Decodes a time from protobuf to its JSON text in UTC, with the given number of fractional digits;
 * further digits are cut off. An empty message is the zero time, which is `null` in JSON.
 *
 * @throws {WireError} If the time is out of the range of `Date`.
 */
function time(bytes: Uint8Array, digits = 0): string | null {
  if (bytes.length === 0) return null;
  const fields = fieldsOf(bytes);
  const date = new Date(integer(fields, 1) * 1000);
  if (Number.isNaN(date.getTime())) throw new WireError("proto: a time out of range");
  const text = formatTime(date);
  if (digits === 0) return text;
  const fraction = String(integer(fields, 2)).padStart(NANO_DIGITS, "0").slice(0, digits);
  return text.replace("Z", `.${fraction}Z`);
}

function json(bytes: Uint8Array): unknown {
  const [raw] = fieldsOf(bytes).get(1) ?? [];
  if (raw === undefined) return null;
  const text = textOf(raw);
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    throw new WireError("proto: a raw value is not JSON");
  }
}
