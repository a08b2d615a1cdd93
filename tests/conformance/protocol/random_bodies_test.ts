/**
 * Random objects of all built-in kinds, most of their fields absent and some of a wrong type, sent to
 * the embedded server and to kube-apiserver on trial: both must refuse the same bodies in the same
 * words, and warn of the same fields.
 */
import assert from "node:assert/strict";
import { BuiltinType } from "../../../lib/apiserver/types/builtin_type.ts";
import { ResourceTable } from "../../../lib/apiserver/resources/resource_table.ts";
import type { ApiResource } from "../../../lib/apiserver/machinery/resource.ts";
import type { Random } from "../../../lib/apimachinery/base/time/random.ts";
import { realTest } from "../../real/suite.ts";
import { printedRandom } from "../../support/seed.ts";
import { Servers } from "../servers.ts";
import type { Send } from "../target.ts";

const ROUNDS = Number(Deno.env.get("XCA_ROUNDS") ?? 300);

realTest("random bodies are decoded alike by both servers", async () => {
  const { random } = printedRandom();
  await using servers = new Servers({});
  const [embedded, real] = [await servers.embedded(), await servers.real()];
  const rows = [...ResourceTable.builtin().all()].filter(({ verbs, kind }) =>
    verbs.includes("create") && kind !== "TokenReview"
  );
  for (let round = 0; round < ROUNDS; round++) {
    const row = pick(random, rows);
    const body = JSON.stringify(randomValue(row.schema() as BuiltinType, random, 0));
    const path = `${collectionPath(row)}?dryRun=All&fieldValidation=${
      pick(random, ["Ignore", "Warn", "Strict"])
    }`;
    const expected = await decoded(real, path, body);
    assert.deepEqual(await decoded(embedded, path, body), expected, `${path} ${body}`);
  }
});

function collectionPath({ group, version, namespaced, plural }: ApiResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? "/namespaces/default" : ""}/${plural}`;
}

/** Returns the response to a body, as far as it concerns decoding. */
async function decoded(send: Send, path: string, body: string): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const response = await send(path, { method: "POST", headers, body });
  const { code, message } = await response.json();
  const refused = code === 400 && / cannot be handled as a |is unrecognized/.test(message);
  if (refused) return message;
  const warnings = response.headers.get("warning") ?? "";
  return warnings.match(/(unknown|duplicate) field \\"[^"]*\\"/g) ?? [];
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random.next() * list.length)]!;
}

/** Values of the wrong type. */
const ODD: readonly unknown[] = [
  ...[null, 5, 1.5, -1, "x", "", true, [], {}, [5], { a: 5 }, [null], { foo: 1 }],
  ...["2020-01-01T00:00:00Z", "1Gi", 3_000_000_000],
];

function randomValue(type: BuiltinType, random: Random, depth: number): unknown {
  if (random.next() < 0.04) return pick(random, ODD);
  switch (type.shape) {
    case "struct":
      return randomStruct(type, random, depth);
    case "map":
      return { a: randomValue(type.values!, random, depth + 1) };
    case "list":
      return random.next() < 0.2 ? [] : [randomValue(type.items!, random, depth + 1)];
    case "string":
      return pick(random, ["", "text"]);
    case "bytes":
      return pick(random, ["YQ==", "", "!!"]);
    case "bool":
      return random.next() < 0.5;
    case "float64":
      return 1.5;
    case "int32":
    case "int64":
      return Math.floor(random.next() * 3);
    default:
      return CUSTOM[type.format ?? ""] ?? pick(random, ODD);
  }
}

const CUSTOM: Readonly<Record<string, unknown>> = {
  "date-time": "2020-01-02T03:04:05Z",
  "micro-time": "2020-01-02T03:04:05.123456Z",
  quantity: "100m",
  "int-or-string": "50%",
};

function randomStruct(type: BuiltinType, random: Random, depth: number): unknown {
  const made: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(type.fields!)) {
    if (name === "kind" || name === "apiVersion" || depth > 7) continue;
    if (random.next() < 0.3) made[name] = randomValue(field, random, depth + 1);
  }
  if (random.next() < 0.03) made.unknownField = 1;
  return made;
}
