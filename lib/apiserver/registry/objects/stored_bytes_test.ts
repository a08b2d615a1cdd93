import assert from "node:assert/strict";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { storedBytes } from "./stored_bytes.ts";

function bytesOf(object: unknown): number {
  return storedBytes(object as ApiObject, JSON.stringify(object));
}

Deno.test("storedBytes() counts built-in kinds as protobuf and custom ones as JSON", () => {
  const text = "\u0001".repeat(1000);
  const grown = (apiVersion: string, kind: string): number =>
    bytesOf({ apiVersion, kind, metadata: { name: "a" }, data: { text } }) -
    bytesOf({ apiVersion, kind, metadata: { name: "a" }, data: { text: "" } });
  assert.equal(grown("v1", "ConfigMap"), 1000 + 2); // Two length prefixes grow by one byte each.
  assert.equal(grown("example.com/v1", "ConfigMap"), 6000);
  assert.equal(grown("core.example.com/v1", "ConfigMap"), 6000);
});

Deno.test("storedBytes() counts UTF-8 bytes, and base64 as decoded", () => {
  const secret = (data: unknown): number =>
    bytesOf({ apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, ...data as object });
  assert.equal(secret({ data: { a: "A".repeat(40) } }) - secret({ data: { a: "" } }), 30);
  assert.equal(secret({ data: { a: "QQ==" } }) - secret({ data: { a: "" } }), 1);
  assert.equal(secret({ data: { a: "QUI=" } }) - secret({ data: { a: "" } }), 2);
  assert.equal(secret({ type: "\u00e4\u20ac" }) - secret({}), 5);
});

Deno.test("storedBytes() counts empty fields that are not pointers", () => {
  const metadata = { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" };
  const bare = bytesOf({ apiVersion: "v1", kind: "Endpoints", metadata });
  const port = { port: 80 };
  const ports = bytesOf({
    apiVersion: "v1",
    kind: "Endpoints",
    metadata,
    subsets: [{ ports: [port] }],
  });
  // subsets: tag, length; ports: tag, length; name: tag, 0; port: tag, 80; protocol: tag, 0.
  assert.equal(ports - bare, 2 + 2 + 2 + 2 + 2);
});
