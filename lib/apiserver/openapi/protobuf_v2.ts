/**
 * Encodes an OpenAPI v2 document in the protobuf form of gnostic, the only form that kubectl
 * requests to validate objects by their schemas.
 *
 * @see https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto
 * @module
 */
import type { Json, JsonObject } from "@xca/apimachinery/internal/values";
import { WireWriter } from "../decode/protobuf/wire_writer.ts";

/** The media type by which requests ask for the OpenAPI 2 document in protobuf. */
export const PROTOBUF_V2_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
/** The media type of the OpenAPI 2 document in protobuf, as responses name it. */
export const PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** The format of a protobuf message: the number and encoding of each field. */
type Shape = Readonly<Record<string, readonly [number: number, kind: Kind]>>;
type Kind = (writer: WireWriter, number: number, value: Json) => void;

const text: Kind = (writer, number, value) => writer.text(number, String(value));
const flag: Kind = (writer, number, value) => writer.integer(number, value === true ? 1 : 0);
const integer: Kind = (writer, number, value) => writer.integer(number, Number(value));
const double: Kind = (writer, number, value) => writer.double(number, Number(value));
const texts: Kind = (writer, number, value) => {
  for (const each of Array.isArray(value) ? value : [value]) writer.text(number, String(each));
};
/** Encodes an arbitrary value as YAML text, of which JSON is a subset, in a protobuf field. */
const any: Kind = (writer, number, value) =>
  writer.message(number, (inner) => inner.text(2, `${JSON.stringify(value)}\n`));
const anys: Kind = (writer, number, value) => {
  for (const each of value as Json[]) any(writer, number, each);
};
const message = (shape: () => Shape): Kind => (writer, number, value) =>
  writer.message(number, (inner) => writeObject(inner, value as JsonObject, shape()));
const messages = (shape: () => Shape): Kind => (writer, number, value) => {
  for (const each of value as Json[]) message(shape)(writer, number, each);
};
/**
 * Returns an encoder of an object as a protobuf message that lists named values; `within` is the
 * number of the field of each value. Members that begin with `x-` are left out.
 */
const named = (within: number, shape: () => Shape): Kind => (writer, number, value) =>
  writer.message(number, (inner) => {
    for (const [name, each] of Object.entries(value as JsonObject)) {
      if (!name.startsWith("x-")) writePair(inner, within, name, each!, shape());
    }
  });

function writePair(writer: WireWriter, number: number, name: string, value: Json, shape: Shape) {
  writer.message(number, (pair) => {
    pair.text(1, name);
    message(() => shape)(pair, 2, value);
  });
}

const INFO: Shape = { title: [1, text], version: [2, text] };

const SCHEMA: Shape = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, text],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, flag],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, texts],
  enum: [20, anys],
  additionalProperties: [
    21,
    (writer, number, value) =>
      writer.message(number, (inner) => {
        if (typeof value === "boolean") inner.integer(2, value ? 1 : 0);
        else message(() => SCHEMA)(inner, 1, value);
      }),
  ],
  type: [22, (writer, number, value) => writer.message(number, (inner) => texts(inner, 1, value))],
  items: [
    23,
    (writer, number, value) =>
      writer.message(number, (inner) => message(() => SCHEMA)(inner, 1, value)),
  ],
  allOf: [24, messages(() => SCHEMA)],
  properties: [25, named(1, () => SCHEMA)],
};

const QUERY_PARAMETER: Shape = {
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [6, text],
  uniqueItems: [20, flag],
};
const PATH_PARAMETER: Shape = {
  required: [1, flag],
  in: [2, text],
  name: [4, text],
  type: [5, text],
};
const BODY_PARAMETER: Shape = {
  name: [2, text],
  in: [3, text],
  required: [4, flag],
  schema: [5, message(() => SCHEMA)],
};

/** Encodes a list of OpenAPI 2 parameters in protobuf: references, body parameters, and others. */
const parameters: Kind = (writer, number, value) => {
  for (const each of value as JsonObject[]) {
    writer.message(number, (item) => {
      if (each["$ref"] !== undefined) {
        item.message(2, (reference) => reference.text(1, String(each["$ref"])));
      } else item.message(1, (inner) => writeParameter(inner, each));
    });
  }
};

function writeParameter(writer: WireWriter, parameter: JsonObject): void {
  if (parameter["in"] === "body") {
    writer.message(1, (inner) => writeObject(inner, parameter, BODY_PARAMETER));
    return;
  }
  const isPath = parameter["in"] === "path";
  writer.message(
    2,
    (inner) =>
      inner.message(
        isPath ? 4 : 3,
        (own) => writeObject(own, parameter, isPath ? PATH_PARAMETER : QUERY_PARAMETER),
      ),
  );
}

const OPERATION: Shape = {
  tags: [1, texts],
  description: [3, text],
  operationId: [5, text],
  produces: [6, texts],
  consumes: [7, texts],
  parameters: [8, parameters],
  schemes: [10, texts],
};
const operation = message(() => OPERATION);
const PATH_ITEM: Shape = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  patch: [8, operation],
  parameters: [9, parameters],
};

/** The number of the protobuf field with the members whose names begin with `x-`, by message. */
const EXTENSIONS = new Map<Shape, number>([[SCHEMA, 31], [OPERATION, 13], [PATH_ITEM, 10]]);

const DOCUMENT: Shape = { swagger: [1, text], info: [2, message(() => INFO)] };
const PATHS = 8;
const DEFINITIONS = 9;

/**
 * Encodes one path of an OpenAPI 2 document in protobuf, without responses, which no client reads.
 */
export function pathBytes(name: string, value: Json): Uint8Array<ArrayBuffer> {
  const writer = new WireWriter();
  writePair(writer, 2, name, value, PATH_ITEM);
  return writer.bytes();
}

/** Encodes one definition of an OpenAPI 2 document in protobuf. */
export function definitionBytes(name: string, value: Json): Uint8Array<ArrayBuffer> {
  const writer = new WireWriter();
  writePair(writer, 1, name, value, SCHEMA);
  return writer.bytes();
}

/**
 * Returns an OpenAPI 2 document in protobuf, in pieces of encoded parts, without security
 * definitions.
 */
export function protobufPieces(
  head: JsonObject,
  paths: readonly Uint8Array[],
  definitions: readonly Uint8Array[],
): Uint8Array[] {
  const writer = new WireWriter();
  writeObject(writer, head, DOCUMENT);
  const before = writer.bytes();
  return [before, ...messageOf(PATHS, paths), ...messageOf(DEFINITIONS, definitions)];
}

function messageOf(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const writer = new WireWriter();
  writer.head(number, parts.reduce((sum, part) => sum + part.length, 0));
  return [writer.bytes(), ...parts];
}

function writeObject(writer: WireWriter, object: JsonObject, shape: Shape): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field) field[1](writer, field[0], value);
    else if (name.startsWith("x-")) {
      const number = EXTENSIONS.get(shape);
      if (number) {
        writer.message(number, (pair) => {
          pair.text(1, name);
          any(pair, 2, value);
        });
      }
    }
  }
}
