import assert from "node:assert/strict";
import type { Random } from "@xca/apimachinery/base";
import { printedRandom } from "../../../tests/support/seed.ts";
import { apiErrorFromObject } from "./api_error.ts";
import { messageText } from "./message_text.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const TOKEN = "hunter2";
const JUNK = [
  ...`{}[]()<>"'\\\n :,=;.&|`,
  "map[",
  '"}: json: cannot unmarshal',
  "data",
  ": ",
  "a",
  "7",
];

function pick<T>(random: Random, of: readonly T[]): T {
  return of[Math.floor(random.next() * of.length)]!;
}

function junk(random: Random): string {
  return Array.from({ length: Math.floor(random.next() * 5) }, () => pick(random, JUNK)).join("");
}

/** Returns an object with data in fields of random shapes, and the texts that must not be shown. */
function secretObject(random: Random): { object: Record<string, Json>; hidden: string[] } {
  const text = `${junk(random)}${TOKEN}${junk(random)}`;
  const bytes = new TextEncoder().encode(text);
  const data = btoa(String.fromCharCode(...bytes));
  const value = pick<Json>(random, [text, { inner: text }, [text], [{ a: [1, text] }]]);
  const shape = (leaf: Json): Json =>
    pick<Json>(random, [{ password: leaf }, { a: "", "b.c": leaf }, leaf, [leaf]]);
  const fields: [string, Json][] = [
    ["data", shape(data)],
    ["metadata", { name: "s", labels: { a: 5 } }],
    ["stringData", shape(value)],
  ];
  const used = fields.filter(() => random.next() < 0.8);
  const isNamed = random.next() < 0.5;
  const object = Object.fromEntries([
    ...(isNamed ? [["apiVersion", "v1"] as const] : []),
    ...used,
    ...(isNamed ? [["kind", "Secret"] as const] : []),
  ]);
  return { object, hidden: [TOKEN, data, [...bytes].slice(0, 6).join(" ")] };
}

/** Prints a value as Go's %v does. */
function goPlain(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goPlain).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  if (value === null) return "<nil>";
  return `map[${Object.entries(value).map(([k, v]) => `${k}:${goPlain(v as Json)}`).join(" ")}]`;
}

/** Prints a value as Go's %#v does. */
function goSyntax(value: Json): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([k, v]) =>
    `${JSON.stringify(k)}:${goSyntax(v as Json)}`
  );
  return `map[string]interface {}{${members.join(", ")}}`;
}

/** Prints an object as YAML, with quoted or plain scalars. */
function yaml(value: Json, isPlain: boolean, indent = ""): string {
  if (typeof value !== "object" || value === null) {
    return isPlain ? `${value}\n` : `${JSON.stringify(value)}\n`;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const isDeep = typeof member === "object" && member !== null;
    const begin = `${indent}${Array.isArray(value) ? "-" : `${key}:`}`;
    return `${begin}${isDeep ? "\n" : " "}${yaml(member as Json, isPlain, `${indent}  `)}`;
  });
  return members.join("");
}

/** Prints the data of an object in a Go struct: with %v, %+v, %#v, or by the method String. */
function goStructs({ data = {}, stringData = {} }: Record<string, Json>): string[] {
  const bytes = (of: Json): number[] => [...new TextEncoder().encode(JSON.stringify(of))];
  const dump = bytes(stringData).join(" ");
  const hex = bytes(stringData).map((byte) => `0x${byte.toString(16)}`).join(", ");
  const strings = goPlain(stringData);
  return [
    `{{ } {s  default    0 <nil> map[] [] []} <nil> map[password:[${dump}]] ${strings} Opaque}`,
    `&{TypeMeta:{Kind: APIVersion:} ObjectMeta:{Name:s} Immutable:<nil> Data:map[a:[${dump}]] ` +
    `StringData:${strings} Type:Opaque}`,
    `v1.Secret{ObjectMeta:v1.ObjectMeta{Name:"s"}, Data:map[string][]uint8{"a":[]uint8{${hex}}}, ` +
    `StringData:${goSyntax(stringData)}}`,
    `&Secret{ObjectMeta:{s  default},Data:map[string][]byte{a: [${dump}],},Type:Opaque,` +
    `StringData:map[string]string{b: ${goPlain(data)} ${strings},},Immutable:nil,}`,
    `map[string][]byte{"a":[]byte{${hex}}}`,
  ];
}

function texts(object: Record<string, Json>): string[] {
  const pythons = JSON.stringify(object).replaceAll('"', "'");
  const operations = Object.entries(object).map(([field, value]) => {
    return { op: "add", value, path: `/${field}/x` };
  });
  return [
    JSON.stringify(object),
    JSON.stringify(object, null, 2),
    JSON.stringify(operations),
    goPlain(object),
    `&{${goPlain(object)}}`,
    `[${operations.map(goPlain).join(" ")}]`,
    goSyntax(object),
    `&unstructured.Unstructured{Object:${goSyntax(object)}}`,
    yaml(object, false),
    yaml(object, true),
    pythons,
    ...goStructs(object),
  ];
}

/** Puts the print of an object into a message, as servers and webhooks do. */
function messageOf(random: Random, print: string): string {
  let quoted = print;
  for (let times = Math.floor(random.next() * 4); times > 0; times--) {
    quoted = JSON.stringify(quoted);
  }
  const message = pick(random, [
    `"" is invalid: patch: Invalid value: ${quoted}: json: cannot unmarshal number into Go value`,
    `admission webhook "w" denied the request: ${quoted}`,
    `Secret "s" is invalid: ${quoted} is wrong`,
    `cannot convert ${quoted} into ${quoted}, see the log`,
    quoted,
  ]);
  return random.next() < 0.3
    ? message.slice(0, Math.floor(random.next() * message.length))
    : message;
}

/** Returns the refusals of server-side apply, which quote one value after its path. */
function refusedValues(object: Record<string, Json>): string[] {
  const type = "failed to create typed patch object (default/t; /v1, Kind=ConfigMap)";
  return ["data", "stringData"].flatMap((field) => {
    const value = object[field] ?? "";
    const go = `&value.valueUnstructured{Value:${goSyntax(value)}}`;
    return [
      `${type}: .${field}.password: expected string, got ${go}`,
      `${type}: errors:\n  .${field}.a: expected string, got &{${
        goPlain(value)
      }}\n  .x: expected y`,
      `${type}: .${field}: expected map, got &{${goPlain(value)}}`,
      `.${field}[a]: Invalid value: ${JSON.stringify(goPlain(value))}: wrong`,
    ];
  });
}

Deno.test("no print of a Secret shows its data in an error: Go's, JSON, YAML, quoted or cut, of random data", () => {
  const { seed, random } = printedRandom();
  for (let i = 0; i < 1500; i++) {
    const { object, hidden } = secretObject(random);
    const messages = texts(object).map((print) => messageOf(random, print));
    for (const message of [...messages, ...refusedValues(object)]) {
      const status = { kind: "Status", apiVersion: "v1", code: 422, message };
      const shown = `${apiErrorFromObject(status).message}\n${messageText(messageText(message))}`;
      for (const part of hidden) {
        assert.ok(!shown.includes(part), `seed ${seed}: ${message}\nshows ${part}: ${shown}`);
      }
    }
  }
});
