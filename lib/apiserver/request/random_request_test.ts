import assert from "node:assert/strict";
import { bodyTypeOf } from "../decode/body.ts";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { booleanParameter } from "@xca/apimachinery/internal/values";
import { Chance, ODD_NAMES } from "../random_values_test.ts";
import { ResourceTable } from "../resources/resource_table.ts";
import { deleteOptions } from "./delete_options.ts";
import { parseFieldSelector } from "./field_selector.ts";
import { parseLabelSelector } from "./label_selector.ts";
import { listOptions } from "./list_options.ts";
import { negotiate } from "./media_types.ts";
import { int64Parameter } from "../machinery/query_values.ts";
import { requestInfo } from "./request_info.ts";
import { route, UnknownRouteError } from "./route.ts";
import { writeOptions } from "./write_options.ts";

/**
 * Returns the result of a call, or `undefined` for a StatusError with one of `codes`; other errors
 * fail the test.
 */
function orRefused<T>(call: () => T, codes: readonly number[], about: string): T | undefined {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof StatusError, `${about}: ${error}`);
    assert.ok(codes.includes(error.code), `${about}: ${error.code}`);
    assert.notEqual(error.message, "", about);
    return undefined;
  }
}

const KEYS = ["a", "b", "x/c", "constructor", "toString", "hasOwnProperty"];
const VALUES = ["", "1", "2", "10", "3", "x"];

/** One requirement of a label selector as text, and as a predicate on the label's value. */
interface Condition {
  readonly text: string;
  readonly holds: (value: string | undefined) => boolean;
}

function condition(chance: Chance, key: string): Condition {
  const [value, other] = [chance.pick(VALUES), chance.pick(VALUES)];
  const number = chance.below(20);
  const space = (): string => chance.pick(["", " ", "\t"]);
  const set = `(${space()}${value}${space()},${space()}${other}${space()})`;
  const isNumber = (text: string | undefined): text is string => /^-?\d+$/.test(text ?? "");
  return chance.pick<Condition>([
    { text: key, holds: (held) => held !== undefined },
    { text: `!${space()}${key}`, holds: (held) => held === undefined },
    { text: `${key}${space()}=${value}`, holds: (held) => held === value },
    { text: `${key}==${space()}${value}`, holds: (held) => held === value },
    { text: `${key}${space()}!=${value}`, holds: (held) => held !== value },
    { text: `${key} in ${set}`, holds: (held) => held === value || held === other },
    { text: `${key} notin ${set}`, holds: (held) => held !== value && held !== other },
    { text: `${key}>${number}`, holds: (held) => isNumber(held) && Number(held) > number },
    { text: `${key} < ${number}`, holds: (held) => isNumber(held) && Number(held) < number },
  ]);
}

Deno.test("a label selector matches if all of its requirements do", async () => {
  await Chance.runs(2000, (chance) => {
    const keys = chance.several(3, () => chance.pick(KEYS));
    const conditions = keys.map((key) => ({ key, ...condition(chance, key) }));
    const labels: Record<string, string> = {};
    for (const key of KEYS) if (chance.happens(0.6)) labels[key] = chance.pick(VALUES);
    const text = conditions.map((each) => each.text).join(chance.pick([",", " , "]));
    const held = (key: string) => Object.hasOwn(labels, key) ? labels[key] : undefined;
    const expected = conditions.every(({ key, holds }) => holds(held(key)));
    const matches = parseLabelSelector(text)?.(labels) ?? true;
    assert.equal(matches, expected, `${text} of ${JSON.stringify(labels)}`);
  });
});

Deno.test("parseFieldSelector() returns the fields and values of the text", async () => {
  await Chance.runs(1000, (chance) => {
    const terms = chance.several(3, () => ({
      field: chance.pick(["metadata.name", "metadata.namespace", "__proto__", "a.b"]),
      equal: chance.happens(0.6),
      value: chance.text(["a", ",", "=", "\\", " ", "é", "!"], 4),
    }));
    const text = terms.map(({ field, equal, value }) =>
      field + (equal ? chance.pick(["=", "=="]) : "!=") + value.replace(/[\\,=]/g, "\\$&")
    ).join(",");
    const parsed = parseFieldSelector(text);
    const inOrder = (of: readonly unknown[]) => of.map((term) => JSON.stringify(term)).sort();
    assert.deepEqual(inOrder(parsed?.terms ?? []), inOrder(terms), text);
    const names = terms.filter(({ field, equal }) => equal && field === "metadata.name");
    if (names.length < 2) assert.equal(parsed?.name, names[0]?.value, text);
  });
});

Deno.test("the selector parsers throw nothing but refusals", async () => {
  const pieces = [
    ...[
      "a",
      "=",
      "==",
      "!=",
      "!",
      ",",
      "(",
      ")",
      " in ",
      " notin ",
      "<",
      ">",
      " ",
      "\\",
      "\n",
      "é",
    ],
    ...["1", "-", "/", ".", "x/y", "in", "__proto__", "\u0000", "\ud800", "a".repeat(64)],
  ];
  await Chance.runs(3000, (chance) => {
    const text = chance.text(pieces, 9);
    const matches = orRefused(() => parseLabelSelector(text), [400], text);
    assert.equal(typeof (matches?.({ a: "1" }) ?? true), "boolean");
    orRefused(() => parseFieldSelector(text), [400], text);
  });
});

Deno.test("query parameters parse as Go's 64-bit integers and booleans", async () => {
  await Chance.runs(1000, (chance) => {
    const text = chance.pick(["", "-", "+"]) + chance.text("0123456789", 20);
    const read = orRefused(
      () => int64Parameter(new URLSearchParams({ n: text }), "n"),
      [400],
      text,
    );
    const number = /\d/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
    const fits = number !== undefined && BigInt.asIntN(64, number) === number;
    assert.equal(read, fits ? Number(number) : undefined, text);
    const word = chance.pick(["0", "false", "FALSE", "1", "true", "", "no", "x"]);
    const expected = !["0", "false", "FALSE"].includes(word);
    assert.equal(booleanParameter(new URLSearchParams({ b: word }), "b"), expected, word);
  });
});

const NAMES = [
  ...["watch", "limit", "continue", "resourceVersion", "resourceVersionMatch", "labelSelector"],
  ...["fieldSelector", "timeoutSeconds", "sendInitialEvents", "dryRun", "fieldManager", "force"],
  ...["fieldValidation", "propagationPolicy", "gracePeriodSeconds", "orphanDependents", "uid"],
  ...["__proto__", "constructor", ""],
];
const TEXTS = ["", "0", "1", "-1", "true", "x", "All", "Exact", "\n", "é\u{1f600}", "9".repeat(30)];

Deno.test("the option parsers throw nothing but refusals", async () => {
  await Chance.runs(2000, (chance) => {
    const query = new URLSearchParams(
      chance.several(5, () => [chance.pick(NAMES), chance.pick(TEXTS)]),
    );
    const about = String(query);
    const refusals = [400, 415, 422];
    orRefused(() => listOptions(query, chance.happens(0.5)), refusals, about);
    const kind = chance.pick(["CreateOptions", "UpdateOptions", "PatchOptions"] as const);
    orRefused(() => writeOptions(kind, query, chance.happens(0.5)), refusals, about);
    const body = chance.happens(0.3)
      ? new Uint8Array(0)
      : chance.happens(0.3)
      ? chance.bytes(20)
      : new TextEncoder().encode(JSON.stringify({ ...chance.fields(2), dryRun: chance.json(1) }));
    const type = chance.pick(["", "application/json", "application/yaml", "text/plain"]);
    orRefused(() => deleteOptions(query, type, body), refusals, about);
  });
});

Deno.test("content negotiation throws nothing but refusals", async () => {
  const pieces = [
    ...["application", "json", "yaml", "*", "/", ";", ",", "=", " ", "q=", "0.5", "as=", "Table"],
    ...["g=meta.k8s.io", "v=v1", "as=constructor", "application/json", "application/yaml", "é"],
    ...["pretty=1", "stream=watch", '"', "application/vnd.kubernetes.protobuf"],
  ];
  await Chance.runs(2000, (chance) => {
    const text = chance.text(pieces, 9);
    const stream = chance.happens(0.3);
    const headers = { get: () => text } as unknown as Headers;
    const query = new URLSearchParams();
    const chosen = orRefused(() => negotiate(headers, query, undefined, stream), [406], text);
    if (chosen) assert.ok(["json", "yaml", "protobuf"].includes(chosen.type));
    const type = orRefused(() => bodyTypeOf(text), [415], text);
    if (type) assert.ok(["json", "yaml", "protobuf"].includes(type));
  });
});

Deno.test("routing throws nothing but refusals", async () => {
  const table = ResourceTable.builtin();
  const steps = [
    ...["api", "apis", "v1", "apps", "namespaces", "default", "pods", "a", "status", "watch"],
    ...[
      "proxy",
      "scale",
      "deployments",
      "bindings",
      "componentstatuses",
      "",
      ".",
      "..",
      "%2F",
      "%",
      "%zz",
      "%00",
      "%C3",
    ],
    ...ODD_NAMES.map(encodeURIComponent),
  ];
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "X"];
  let found = 0;
  await Chance.runs(5000, (chance) => {
    const start = chance.pick(["/", "/api/v1/", "/apis/apps/v1/", "/api/v1/namespaces/default/"]);
    const path = start + chance.several(4, () => chance.pick(steps)).join("/");
    const method = chance.pick(methods);
    const info = requestInfo(method, new URL(`https://server.invalid${path}?watch=x`));
    if (!info.isResource) return;
    try {
      const { resource } = route(info, table);
      assert.equal(resource, table.find(info.group, info.version, info.resource));
      found++;
    } catch (error) {
      if (error instanceof UnknownRouteError) return;
      assert.ok(error instanceof StatusError, `${method} ${path}: ${error}`);
      assert.ok([400, 404, 405].includes(error.code), `${method} ${path}: ${error.code}`);
    }
  });
  assert.ok(found > 50, `only ${found} lead somewhere`);
});
