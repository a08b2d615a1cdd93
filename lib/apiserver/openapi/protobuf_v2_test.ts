import assert from "node:assert/strict";
import { textOf, WireReader, type WireValue } from "../decode/protobuf/wire_reader.ts";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { joinPieces } from "../machinery/byte_pieces.ts";
import { definitionBytes, pathBytes, protobufPieces } from "./protobuf_v2.ts";

function protobufV2(document: JsonObject): Uint8Array {
  const { paths = {}, definitions = {}, ...head } = document as Record<string, JsonObject>;
  return joinPieces(protobufPieces(
    head,
    Object.entries(paths).map(([name, value]) => pathBytes(name, value!)),
    Object.entries(definitions).map(([name, value]) => definitionBytes(name, value!)),
  ));
}

/** Returns the values of a protobuf message by field number. */
function fields(value: WireValue): Map<number, WireValue[]> {
  const found = new Map<number, WireValue[]>();
  const reader = new WireReader(value as Uint8Array);
  for (let field = reader.next(); field; field = reader.next()) {
    found.set(field.number, [...found.get(field.number) ?? [], field.value]);
  }
  return found;
}

const one = (value: WireValue, ...path: readonly number[]): WireValue =>
  path.reduce((inner, number) => fields(inner).get(number)![0]!, value);

Deno.test("the protobuf document has kinds and paths in the fields that gnostic reads", () => {
  const gvk = [{ group: "", kind: "Thing", version: "v1" }];
  const bytes = protobufV2({
    swagger: "2.0",
    info: { title: "t", version: "v" },
    definitions: {
      "io.Thing": {
        type: "object",
        required: ["a"],
        properties: {
          a: { type: "array", items: { $ref: "#/definitions/io.Other" } },
          b: { type: "object", additionalProperties: { type: "string" } },
        },
        "x-kubernetes-group-version-kind": gvk,
      },
    },
    paths: {
      "/things/{name}": {
        patch: { operationId: "patch", parameters: [{ in: "query", name: "fieldValidation" }] },
        parameters: [{ $ref: "#/parameters/name" }],
      },
    },
  });
  assert.equal(textOf(one(bytes, 1)), "2.0");
  const [definition] = fields(one(bytes, 9)).get(1)!;
  assert.equal(textOf(one(definition!, 1)), "io.Thing");
  const schema = one(definition!, 2);
  assert.equal(textOf(one(schema, 22, 1)), "object");
  assert.equal(textOf(one(schema, 19)), "a");
  const [a, b] = fields(one(schema, 25)).get(1)!;
  assert.equal(textOf(one(a!, 1)), "a");
  assert.equal(textOf(one(a!, 2, 23, 1, 1)), "#/definitions/io.Other");
  assert.equal(textOf(one(b!, 2, 21, 1, 22, 1)), "string");
  const extension = one(schema, 31);
  assert.equal(textOf(one(extension, 1)), "x-kubernetes-group-version-kind");
  assert.deepEqual(JSON.parse(textOf(one(extension, 2, 2))), gvk);
  const [path] = fields(one(bytes, 8)).get(2)!;
  assert.equal(textOf(one(path!, 1)), "/things/{name}");
  assert.equal(textOf(one(path!, 2, 8, 8, 1, 2, 3, 4)), "fieldValidation");
  assert.equal(textOf(one(path!, 2, 9, 2, 1)), "#/parameters/name");
});

Deno.test("a long text and a message whose length takes several bytes are encoded in protobuf", () => {
  const title = "ü".repeat(100_000);
  assert.equal(textOf(one(protobufV2({ info: { title } }), 2, 1)), title);
});
