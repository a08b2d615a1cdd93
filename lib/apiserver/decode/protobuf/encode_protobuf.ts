// Mirrors `runtime/serializer/protobuf/protobuf.go, Serializer.Encode` and
// `runtime/serializer/protobuf/collections.go, streamingListData`.
import { type Message, type MessageField, messageName, messageOf } from "./messages.ts";
import { WireWriter } from "./wire_writer.ts";

type Tree = Readonly<Record<string, unknown>>;

/** The prefix of every Kubernetes object in protobuf: `k8s` and a zero byte. */
const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0);
const encoder = new TextEncoder();

/**
 * Encodes an object in Kubernetes' protobuf format.
 *
 * @throws {RangeError} If the object's kind has no protobuf message.
 */
export function encodeProtobuf(object: Tree): Uint8Array<ArrayBuffer> {
  const body = new WireWriter();
  writeFields(body, object, messageOfKind(object));
  return new Uint8Array(joined([...envelope(object, body.bytes().length), body.bytes()]));
}

/**
 * An encoder of a list of objects, in protobuf or as text, item by item in the order of the list.
 */
export interface ListWriter {
  /** Returns the bytes of the next item of the list of objects. */
  item(value: unknown): Uint8Array;
  /**
   * Returns the bytes of the complete list of objects, as pieces in order. `items` are the results
   * of all calls of `item`.
   */
  whole(items: readonly Uint8Array[]): Uint8Array[];
}

/**
 * Returns the encoder of a list of objects in protobuf; `around` is the list without its items.
 *
 * @throws {RangeError} If the list's kind has no protobuf message.
 */
export function protobufList(around: Tree): ListWriter {
  const message = messageOfKind(around);
  const [number, field] = [...message].find(([, { name }]) => name === "items")!;
  return {
    item: (value) => {
      const writer = new WireWriter();
      writeValue(writer, number, field.type, value);
      return writer.bytes();
    },
    whole: (items) => {
      const head = new WireWriter();
      writeFields(head, { ...around, items: undefined }, message);
      const before = head.bytes();
      const length = items.reduce((sum, { length }) => sum + length, before.length);
      return [...envelope(around, length), before, ...items];
    },
  };
}

/**
 * Encodes one watch event in protobuf: the length of the event in four bytes, big-endian, then the
 * type and the object.
 */
export function protobufFrame(type: string, object: object): Uint8Array {
  const writer = new WireWriter();
  writer.text(1, type);
  writer.message(2, () => writer.bytesAt(1, encodeProtobuf(object as Tree)));
  const event = writer.bytes();
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, event.length);
  return joined([length, event]);
}

function messageOfKind({ apiVersion, kind }: Tree): Message {
  const message = messageOf(messageName(String(apiVersion), String(kind)));
  if (!message) throw new RangeError(`Cannot write ${apiVersion} ${kind} in protobuf: no message`);
  return message;
}

/**
 * Returns the start of a protobuf `Unknown`, the envelope of every object, in pieces: up to the
 * bytes of the object itself, of which there are `length`.
 */
function envelope({ apiVersion, kind }: Tree, length: number): Uint8Array[] {
  const head = new WireWriter();
  head.message(1, () => {
    head.text(1, String(apiVersion));
    head.text(2, String(kind));
  });
  head.head(2, length);
  return [MAGIC, head.bytes()];
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function writeFields(writer: WireWriter, tree: Tree, message: Message): void {
  for (const [number, field] of message) {
    const value = field.inline ? tree : tree[field.name];
    if (value !== undefined) writeField(writer, number, field, value);
  }
}

function writeField(writer: WireWriter, number: number, field: MessageField, value: unknown): void {
  const { type, shape } = field;
  if (shape === "list") {
    for (const each of value as unknown[] ?? []) writeValue(writer, number, type, each);
  } else if (shape === "map") {
    for (const [key, each] of Object.entries(value as Tree ?? {})) {
      writer.message(number, () => {
        writer.text(1, key);
        writeValue(writer, 2, type, each);
      });
    }
  } else if (value !== null || SPECIAL[type]) {
    writeValue(writer, number, type, value);
  }
}

function writeValue(writer: WireWriter, number: number, type: string, value: unknown): void {
  switch (type) {
    case "s":
      return writer.text(number, String(value));
    case "y":
      return writer.bytesAt(number, Uint8Array.fromBase64(String(value ?? "")));
    case "b":
      return writer.integer(number, value === true ? 1 : 0);
    case "d":
      return writer.double(number, Number(value));
    case "i":
      return writer.integer(number, Number(value));
  }
  const special = SPECIAL[type] ??
    (type.endsWith(".ExtraValue") ? texts : undefined);
  const message = special ? undefined : messageOf(type);
  writer.message(number, () => {
    if (special) special(writer, value);
    else if (message && value !== null) writeFields(writer, value as Tree, message);
  });
}

type Special = (writer: WireWriter, value: unknown) => void;

const texts: Special = (writer, value) => {
  for (const each of value as string[] ?? []) writer.text(1, each);
};

const json: Special = (writer, value) => writer.bytesAt(1, encoder.encode(JSON.stringify(value)));

/**
 * Encodes a time in protobuf: whole seconds since 1970 and nanoseconds. The zero time is an empty
 * message.
 */
const time: Special = (writer, value) => {
  if (typeof value !== "string") return;
  const [, fraction = ""] = /\.(\d+)/.exec(value) ?? [];
  writer.integer(1, Math.floor(Date.parse(value) / 1000));
  writer.integer(2, Number(fraction.padEnd(9, "0").slice(0, 9)));
};

const SCHEMA = "apiextensions.v1.JSONSchemaProps";

/**
 * The encoders of the protobuf messages whose JSON is not an object of their fields, such as times,
 * by name.
 */
const SPECIAL: Readonly<Record<string, Special | undefined>> = {
  "resource.Quantity": (writer, value) => writer.text(1, String(value)),
  "intstr.IntOrString": (writer, value) => {
    const isText = typeof value === "string";
    writer.integer(1, isText ? 1 : 0);
    if (isText) writer.text(3, value);
    else writer.integer(2, Number(value));
  },
  "meta.v1.Time": time,
  "meta.v1.MicroTime": time,
  "meta.v1.FieldsV1": json,
  "runtime.RawExtension": json,
  "apiextensions.v1.JSON": json,
  "meta.v1.Verbs": texts,
  "apiextensions.v1.JSONSchemaPropsOrBool": (writer, value) => {
    writer.integer(1, value === false ? 0 : 1);
    if (typeof value === "object" && value !== null) writeValue(writer, 2, SCHEMA, value);
  },
  "apiextensions.v1.JSONSchemaPropsOrArray": (writer, value) => {
    if (!Array.isArray(value)) writeValue(writer, 1, SCHEMA, value);
    else for (const each of value) writeValue(writer, 2, SCHEMA, each);
  },
  "apiextensions.v1.JSONSchemaPropsOrStringArray": (writer, value) => {
    if (!Array.isArray(value)) writeValue(writer, 1, SCHEMA, value);
    else for (const each of value) writer.text(2, String(each));
  },
};
