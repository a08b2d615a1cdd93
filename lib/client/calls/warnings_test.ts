import assert from "node:assert/strict";
import { parseWarnings, Warnings } from "./warnings.ts";

Deno.test("parseWarnings() reads several warnings, with escapes, commas and dates, of code 299 only", () => {
  assert.deepEqual(
    parseWarnings(`299 - "use \\"b\\", not a", 299 - "old", 199 - "other", 299 a:1 "x" "a date"`),
    [`use "b", not a`, "old", "x"],
  );
  assert.deepEqual(parseWarnings("nonsense"), []);
});

/** Returns response headers with the given warnings. */
function warned(...texts: string[]): Headers {
  return new Headers(texts.map((text) => ["warning", `299 - "${text}"`]));
}

Deno.test("a warning names object and call, and is reported once per text and collection", () => {
  const told: unknown[] = [];
  const warnings = new Warnings((text, { method, path, name }) =>
    told.push([text, method, path, name])
  );
  const xcas = "/apis/a.example/v1/namespaces/default/xcas";
  const body = JSON.stringify({ metadata: { name: "mars" } });
  warnings.note(warned("unknown field"), { method: "POST", path: xcas, body });
  warnings.note(warned("b", "unknown field"), { method: "POST", path: xcas, body });
  warnings.note(warned("b"), { method: "POST", path: xcas.replace("default", "other"), body });
  warnings.note(warned("b"), { method: "PUT", path: `${xcas}/mars`, body: "no JSON" });
  warnings.note(warned("b"), { method: "PUT", path: `${xcas}/venus/status`, body: undefined });
  warnings.note(warned("b"), { method: "PUT", path: "/api/v1/namespaces/n", body: "{}" });
  warnings.note(new Headers(), { method: "GET", path: "/version", body: undefined });
  assert.deepEqual(told, [
    ["unknown field", "POST", xcas, "mars"],
    ["b", "POST", xcas, "mars"],
    ["b", "PUT", `${xcas}/mars`, ""],
    ["b", "PUT", "/api/v1/namespaces/n", ""],
  ]);
});

Deno.test("a warning of the server is cut, and shows no data of a Secret", () => {
  const told: string[] = [];
  const warnings = new Warnings((text) => told.push(text));
  const secret = '{\\"data\\":{\\"a\\":\\"aHVudGVy\\"}}';
  warnings.note(warned(secret, "x".repeat(9_000)), { method: "PUT", path: "/x", body: undefined });
  assert.equal(told[0], '{"data":{...}}');
  assert.ok(told[1]!.length < 2_100);
});
