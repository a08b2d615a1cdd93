/**
 * The static types of schemas: each line is checked by the compiler.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap } from "@xca/apimachinery/meta";
import { type Input, s, type Stored } from "../mod.ts";

/** `true` for two types that are the same, and not only assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true
  : false;

/** Compiles when a type is `true`. */
function holds<_T extends true>(): void {}

Deno.test("the types of scalars", () => {
  const text = s.string({ pattern: "^a" });
  const integer = s.integer({ format: "int32", default: 1 });
  const choice = s.enum(["a", "b"], { default: "b" });
  const port = s.intOrString();
  holds<Same<Stored<typeof text>, string>>();
  holds<Same<Stored<typeof integer>, number>>();
  holds<Same<Stored<typeof choice>, "a" | "b">>();
  holds<Same<Stored<typeof port>, string | number>>();
  const nothing = s.nullable(s.boolean());
  holds<Same<Stored<typeof nothing>, boolean | null>>();
  const one = s.literal(1);
  holds<Same<Input<typeof one>, 1>>();
  // @ts-expect-error A default is one of the enum.
  assert.throws(() => s.enum(["a"], { default: "c" }).json);
  // @ts-expect-error There is no such format.
  assert.throws(() => s.string({ format: "color" }).json);
});

Deno.test("the types of objects: defaults are stored, and optional for users", () => {
  const spec = s.object({
    image: s.string(),
    replicas: s.integer({ default: 1 }),
    note: s.optional(s.string()),
    owner: s.nullable(s.optional(s.string())),
    tls: s.object({ port: s.integer({ default: 443 }) }, { default: {} }),
  });
  holds<
    Same<Stored<typeof spec>, {
      image: string;
      replicas: number;
      note?: string;
      owner?: string | null;
      tls: { port: number };
    }>
  >();
  holds<
    Same<Input<typeof spec>, {
      image: string;
      replicas?: number;
      note?: string;
      owner?: string | null;
      tls?: { port?: number };
    }>
  >();
  const written: Input<typeof spec> = { image: "nginx" };
  // @ts-expect-error A required field is missing.
  const incomplete: Input<typeof spec> = { note: "" };
  // @ts-expect-error A stored object has the defaults.
  const stored: Stored<typeof spec> = { image: "nginx" };
  assert(written && incomplete && stored);
});

Deno.test("the types of arrays and maps", () => {
  const port = s.object({ name: s.string(), protocol: s.enum(["TCP", "UDP"], { default: "TCP" }) });
  const ports = s.array(port, { listType: "map", mapKeys: ["name", "protocol"] });
  holds<Same<Stored<typeof ports>, { name: string; protocol: "TCP" | "UDP" }[]>>();
  holds<Same<Input<typeof ports>, { name: string; protocol?: "TCP" | "UDP" }[]>>();
  const labels = s.map(s.string(), { default: { a: "b" } });
  holds<Same<Stored<typeof labels>, Record<string, string>>>();
  // @ts-expect-error The items have no such field.
  assert.throws(() => s.array(port, { listType: "map", mapKeys: ["id"] }).json);
  // @ts-expect-error A list of type map names its keys.
  assert.throws(() => s.array(port, { listType: "map" }).json);
});

Deno.test("the types of unions: the discriminator narrows them", () => {
  const source = s.union("type", {
    Git: { git: s.object({ url: s.string(), branch: s.string({ default: "main" }) }) },
    Inline: { text: s.string(), mode: s.optional(s.integer()) },
  });
  const read = (value: Stored<typeof source>): string =>
    value.type === "Git" ? value.git.branch : value.text;
  const written: Input<typeof source> = { type: "Git", git: { url: "" } };
  // @ts-expect-error A field of another member.
  const mixed: Input<typeof source> = { type: "Inline", text: "", git: { url: "" } };
  // @ts-expect-error The member's field is missing.
  const empty: Input<typeof source> = { type: "Inline" };
  assert(read({ type: "Inline", text: "a" }) === "a" && written && mixed && empty);
});

Deno.test("the types of objects with one of their fields", () => {
  const source = s.exactlyOneOf({ file: s.string(), secret: s.object({ name: s.string() }) });
  const read = (value: Stored<typeof source>): string =>
    value.file !== undefined ? value.file : value.secret.name;
  // @ts-expect-error Two of the fields.
  const both: Input<typeof source> = { file: "", secret: { name: "" } };
  // @ts-expect-error None of the fields.
  const none: Input<typeof source> = {};
  const limit = s.atMostOneOf({ count: s.integer() });
  const unlimited: Input<typeof limit> = {};
  assert(read({ file: "a" }) === "a" && both && none && unlimited);
});

Deno.test("the types of Kubernetes' own types and embedded objects", () => {
  const template = s.kubernetes("V1PodTemplateSpec");
  holds<Same<Stored<typeof template>, V1PodTemplateSpec>>();
  const map = s.embeddedResource(ConfigMap);
  const value: Stored<typeof map> = { apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: {} };
  const kind: "ConfigMap" = value.kind;
  // @ts-expect-error There is no such type.
  assert.throws(() => s.kubernetes("V1Pods"));
  assert.equal(kind, "ConfigMap");
});
