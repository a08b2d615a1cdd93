/**
 * Every builder of schemas on kube-apiserver, on the embedded server and in local validation: the
 * definition is accepted without a warning, and values get the verdict that the table of features
 * states, and the stored form.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../lib/apimachinery/meta/object.ts";
import {
  type AnySchema,
  applyDefaults,
  prune,
  s,
  validate,
  type VersionWithCrd,
} from "../../../lib/resource/mod.ts";
import { SCHEMA_FEATURES } from "../../support/random/schema_features.ts";
import { realTest } from "../../real/suite.ts";
import { CustomKind, definitionIn, definitionOf, DEFINITIONS } from "./custom_kind.ts";
import { Servers } from "../servers.ts";
import { type Answer, type Send, Target } from "../target.ts";

const servers = new Servers({});
Deno.test.beforeAll(() => servers.start());
Deno.test.afterAll(() => servers[Symbol.asyncDispose]());

type Plain = Record<string, unknown>;

/** Returns the schema of an object of which each field is a feature. */
function specOfFeatures(): AnySchema {
  return s.object(Object.fromEntries(
    Object.entries(SCHEMA_FEATURES).map(([name, { schema }]) =>
      [name, schema.json.default === undefined ? s.optional(schema) : schema] as const
    ),
  ));
}

/** Returns a kind of which each field of `spec` is a feature; its definition is served. */
async function kindOfFeatures(t: Target): Promise<CustomKind> {
  const schema = s.object({ spec: specOfFeatures() }).json as Plain;
  const definition = definitionOf(t, { schema });
  const { code, body, headers } = await t.post(DEFINITIONS, definition);
  assert.equal(code, 201, JSON.stringify(body));
  assert.equal(headers.get("Warning"), null);
  const kind = new CustomKind(t, definition);
  await kind.waitUntilServed();
  return kind;
}

async function checkFeatures(t: Target): Promise<void> {
  await t.post("/api/v1/namespaces", { metadata: { name: t.namespace } });
  const kind = await kindOfFeatures(t);
  let count = 0;
  const create = (feature: string, value: unknown, query = "?dryRun=All"): Promise<Answer> =>
    kind.create({ metadata: { name: `a${count++}` }, spec: { [feature]: value } }, query);
  const wrong: string[] = [];
  const check = ({ code, body }: Answer, isValid: boolean, what: string): void => {
    if (code < 400 !== isValid) wrong.push(`${what}: ${code} ${body.message}`);
  };
  for (const [name, feature] of Object.entries(SCHEMA_FEATURES)) {
    const { valid, invalid = [], updates = [], stored = [] } = feature;
    for (const value of valid) {
      check(await create(name, value), true, `${name} of ${JSON.stringify(value)}`);
    }
    for (const value of invalid) {
      check(await create(name, value), false, `${name} of ${JSON.stringify(value)}`);
    }
    for (const [written, expected] of stored) {
      const { body } = await create(name, written);
      assert.deepEqual(body.spec[name], expected, `${name} of ${JSON.stringify(written)}`);
    }
    for (const [before, after, isValid] of updates) {
      const { body } = await create(name, before, "");
      body.spec[name] = after;
      const answer = await t.put(kind.path(`/${body.metadata.name}`), body);
      check(answer, isValid, `${name} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
    }
  }
  assert.deepEqual(wrong, []);
}

async function target(server: Target["server"], send: Promise<Send>): Promise<Target> {
  return new Target(server, await send, "schema-features");
}

/** Returns the kind of the features as local validation takes it. */
function localKind(): VersionWithCrd {
  const group = "local.example.com";
  const crd = definitionIn(group, { schema: s.object({ spec: specOfFeatures() }).json as never });
  return { crd: crd as unknown as VersionWithCrd["crd"], version: "v1" };
}

Deno.test("schemas: every feature in local validation", async () => {
  const kind = localKind();
  const objectOf = (feature: string, value: unknown): KubeObject =>
    ({ metadata: { name: "a" }, spec: { [feature]: value } }) as KubeObject;
  const wrong: string[] = [];
  const check = async (
    what: string,
    object: KubeObject,
    isValid: boolean,
    old?: KubeObject,
  ): Promise<void> => {
    const problems = await validate(kind, object, old && { old });
    if (problems.length === 0 !== isValid) wrong.push(`${what}: ${JSON.stringify(problems)}`);
  };
  for (const [name, feature] of Object.entries(SCHEMA_FEATURES)) {
    const { valid, invalid = [], updates = [], stored = [] } = feature;
    for (const value of valid) {
      await check(`${name} of ${JSON.stringify(value)}`, objectOf(name, value), true);
    }
    for (const value of invalid) {
      await check(`${name} of ${JSON.stringify(value)}`, objectOf(name, value), false);
    }
    for (const [before, after, isValid] of updates) {
      const what = `${name} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
      await check(what, objectOf(name, after), isValid, objectOf(name, before));
    }
    for (const [written, expected] of stored) {
      const { object } = await prune(kind, objectOf(name, written));
      const { spec } = await applyDefaults(kind, object) as KubeObject & { spec: Plain };
      assert.deepEqual(spec[name], expected, `${name} of ${JSON.stringify(written)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

realTest("schemas: every feature on kube-apiserver", async () => {
  await checkFeatures(await target("kube-apiserver", servers.real()));
});

Deno.test("schemas: every feature on the embedded server", async () => {
  await checkFeatures(await target("embedded", servers.embedded()));
});
