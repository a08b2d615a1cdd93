import assert from "node:assert/strict";
import { PROTOBUF_MESSAGES } from "../../facts/protobuf.ts";
import { structType } from "../../types/builtin_type.ts";
import { type MessageField, messageOf } from "./messages.ts";

/**
 * The OpenAPI packages that correspond to the protobuf packages. OpenAPI names fields as JSON does.
 */
const PLACES = [
  "io.k8s.api",
  "io.k8s.apimachinery.pkg.apis",
  "io.k8s.apiextensions-apiserver.pkg.apis",
  "io.k8s.kube-aggregator.pkg.apis",
];
const SCALARS = new Set(["s", "y", "b", "d", "i"]);

const names = PROTOBUF_MESSAGES.trim().split("\n").flatMap((line) => {
  const [pack, ...messages] = line.split("; ");
  return messages.map((message) => `${pack}.${message.split(" ", 1)[0]}`);
});

/** Returns the fields of a protobuf message, with those of inlined messages. */
function fieldsOf(name: string): MessageField[] {
  return [...messageOf(name)!.values()].flatMap((field) =>
    field.inline ? fieldsOf(field.type) : [field]
  );
}

function jsonNamesOf(name: string): string[] | undefined {
  const type = PLACES.map((place) => structType(`${place}.${name}`)).find((found) => found);
  // Protobuf has the kind in its envelope.
  const names = Object.keys(type?.fields ?? {}).filter((field) =>
    field !== "kind" && field !== "apiVersion" || messageOf(name)!.size === 0 ||
    fieldsOf(name).some((known) => known.name === field)
  );
  return type && names.sort();
}

Deno.test("each protobuf field has its JSON name", () => {
  const held = names.filter((name) => {
    const expected = jsonNamesOf(name);
    if (expected === undefined || expected.length === 0) return false;
    assert.deepEqual(fieldsOf(name).map((field) => field.name).sort(), expected, name);
    return true;
  });
  assert.ok(held.length > 500, `${held.length} messages were compared`);
});

Deno.test("each protobuf field is a scalar or a known message", () => {
  for (const name of names) {
    for (const { name: field, type } of messageOf(name)!.values()) {
      assert.ok(SCALARS.has(type) || messageOf(type), `${name}.${field} is a ${type}`);
    }
  }
});
