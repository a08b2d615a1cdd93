import assert from "node:assert/strict";
import { normalise, type NormaliseOptions } from "./normalise.ts";

const plain: NormaliseOptions = { managedFields: false, names: new Map(), masks: [] };

function shown(bodies: readonly unknown[], options: NormaliseOptions): unknown[] {
  const exchanges = bodies.map((body) => ({ request: "GET /", code: 200, body }));
  return normalise(exchanges, options).map(({ body }) => body);
}

const service = (uid: string, clusterIP: string, nodePort: number) => ({
  metadata: { uid: `${uid.repeat(8)}-0000-4000-8000-000000000000` },
  spec: { clusterIP, ports: [{ nodePort }] },
});

Deno.test("an address that another object had is the same, except in random cases", () => {
  const bodies = [service("a", "10.0.0.1", 30_001), service("b", "10.0.0.1", 30_001)];
  const addresses = (options: NormaliseOptions): unknown[] =>
    (shown(bodies, options) as ReturnType<typeof service>[]).map(({ spec }) => spec);
  const first = { clusterIP: "<ip 1>", ports: [{ nodePort: "<port 1>" }] };
  assert.deepEqual(addresses(plain), [first, first]);
  const second = { clusterIP: "<ip 2>", ports: [{ nodePort: "<port 2>" }] };
  assert.deepEqual(addresses({ ...plain, random: true }), [first, second]);
});

Deno.test("a message names the object that has an address, a table its ports", () => {
  const row = { cells: ["80:30001/TCP"], object: service("a", "10.0.0.1", 30_001) };
  const [table, refusal] = shown([
    { rows: [row] },
    { message: "Duplicate value: 30001, duplicate nodePort: {TCP 30001}" },
  ], { ...plain, random: true }) as [{ rows: (typeof row)[] }, { message: string }];
  assert.deepEqual(table.rows[0]!.cells, ["80:<port 1>/TCP"]);
  assert.equal(refusal.message, "Duplicate value: <port 1>, duplicate nodePort: {TCP <port 1>}");
});

Deno.test("faults of several labels have no order in random cases", () => {
  const refusal = (...labels: string[]): unknown => {
    const causes = labels.map((message) => ({
      field: "metadata.labels",
      message,
      reason: "FieldValueInvalid",
    }));
    const other = { field: "spec", message: "odd", reason: "FieldValueInvalid" };
    const all = [causes[0], other, causes[1]];
    return {
      reason: "Invalid",
      message: `Pod "a" is invalid: [${
        all.map((cause) => `${cause!.field}: ${cause!.message}`).join(", ")
      }]`,
      details: { kind: "Pod", causes: all },
    };
  };
  const random = { ...plain, random: true };
  assert.deepEqual(shown([refusal("x", "y")], random), shown([refusal("y", "x")], random));
  assert.notDeepEqual(shown([refusal("x", "y")], plain), shown([refusal("y", "x")], plain));
});
