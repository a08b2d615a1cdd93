/**
 * Random schemas, built by `s`: their definitions are accepted by kube-apiserver and by the embedded
 * server without a warning, and random objects get one verdict, with one form and one message, from
 * both.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../lib/apimachinery/meta/object.ts";
import { type AnySchema, applyDefaults, prune, s, validate } from "../../../lib/resource/mod.ts";
import { isAffordable, type Made, SchemaMaker } from "../../support/random/random_schemas.ts";
import { printedRandom } from "../../support/seed.ts";
import { realTest } from "../../real/suite.ts";
import { CustomKind, definitionIn, DEFINITIONS } from "./custom_kind.ts";
import { Servers } from "../servers.ts";
import { type Answer, Target } from "../target.ts";

/** The number of kinds; each has {@linkcode FIELDS} random schemas. */
const KINDS = 3;
const FIELDS = 12;
/** The number of random objects of each kind. */
const OBJECTS = 60;

const servers = new Servers({});
Deno.test.beforeAll(() => servers.start());
Deno.test.afterAll(() => servers[Symbol.asyncDispose]());

/** A kind with random schemas, on one server. */
interface RandomKind {
  readonly t: Target;
  readonly kind: CustomKind;
  readonly schema: LocalKind;
}

/** A version of a definition, as local validation takes it. */
type LocalKind = Parameters<typeof validate>[0];

async function serve(t: Target, group: string, schema: AnySchema): Promise<RandomKind> {
  const definition = definitionIn(group, { schema: schema.json as Record<string, unknown> });
  const { code, body, headers } = await t.post(DEFINITIONS, definition);
  assert.equal(code, 201, `${JSON.stringify(body)}\n${JSON.stringify(schema.json, null, 1)}`);
  assert.equal(headers.get("Warning"), null);
  const crd = definition as unknown as LocalKind["crd"];
  return { t, kind: new CustomKind(t, definition), schema: { crd, version: "v1" } };
}

/** The part of an answer about an object that is compared. */
interface Outcome {
  readonly code: number;
  /** The errors, sorted, since the order of kube-apiserver's is random. */
  readonly causes: readonly string[];
  readonly spec: unknown;
}

function outcomeOf({ code, body }: Answer): Outcome {
  const causes = (body.details?.causes ?? []).map((cause: unknown) => JSON.stringify(cause));
  return { code, causes: causes.sort(), spec: body.spec };
}

/**
 * Returns the outcome that local validation predicts of a write. Without a rule about the order of
 * errors, `causes` has fields and messages alone.
 */
async function localOutcome(
  kind: LocalKind,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<Outcome> {
  const problems = await validate(kind, object, old === undefined ? {} : { old });
  const causes = problems.map(({ field, message }) => JSON.stringify({ message, field }));
  if (problems.length > 0) return { code: 422, causes: causes.sort(), spec: undefined };
  const pruned = await prune(kind, object);
  const { spec } = await applyDefaults(kind, pruned.object) as KubeObject & { spec: unknown };
  return { code: old === undefined ? 201 : 200, causes: [], spec };
}

/** Returns an outcome without the reasons of its errors, which local validation does not have. */
function withoutReasons({ code, causes, spec }: Outcome): Outcome {
  const plain = causes.map((text) => {
    const { message, field } = JSON.parse(text);
    return JSON.stringify({ message, field });
  });
  return { code, causes: plain.sort(), spec };
}

/** Asserts that local validation predicts the outcome of a write. */
function assertPredicted(local: Outcome, answered: Outcome, what: string): void {
  if (answered.code !== 400) return assert.deepEqual(local, withoutReasons(answered), what);
  // A body that does not decode has one error, about the object as a whole.
  assert.equal(local.causes.length, 1, what);
  assert.match(local.causes[0]!, /"field":"<nil>"/, what);
}

/** Creates an object, and updates it without an effect where it was accepted; returns both outcomes. */
async function outcomes(
  { t, kind, schema }: RandomKind,
  name: string,
  specs: readonly [unknown, unknown],
): Promise<Outcome[]> {
  const object = kind.object({ metadata: { name }, spec: specs[0] });
  const created = await t.post(kind.path(), object);
  const first = outcomeOf(created);
  const local = await localOutcome(schema, object as unknown as KubeObject, undefined);
  assertPredicted(local, first, `${t.server}: ${JSON.stringify(specs[0])}`);
  if (created.code !== 201) return [first];
  const path = `${kind.path(`/${name}`)}?dryRun=All`;
  const changed = { ...created.body, spec: specs[1] };
  const second = outcomeOf(await t.put(path, changed));
  const predicted = await localOutcome(schema, changed, created.body);
  assertPredicted(predicted, second, `${t.server}: ${JSON.stringify(specs)}`);
  return [first, second];
}

/** Random schemas as fields, and the schema of an object with all of them. */
interface RandomFields {
  readonly fields: ReadonlyMap<string, Made>;
  readonly schema: AnySchema;
}

/** Returns random schemas whose rules together keep the cost limits. */
async function affordableFields(maker: SchemaMaker): Promise<RandomFields> {
  for (;;) {
    const made = randomFields(maker);
    if (await isAffordable(made.schema)) return made;
  }
}

function randomFields(maker: SchemaMaker): RandomFields {
  const fields = Array.from(
    { length: FIELDS },
    (_, index) => [`f${index}`, maker.schema()] as const,
  );
  const optional = fields.map(([name, { schema }]) =>
    [name, schema.json.default === undefined ? s.optional(schema) : schema] as const
  );
  const schema = s.object({ spec: s.object(Object.fromEntries(optional)) });
  return { fields: new Map(fields), schema };
}

async function targetsOf(): Promise<Target[]> {
  const targets = [
    new Target("kube-apiserver", await servers.real(), "random-schemas"),
    new Target("embedded", await servers.embedded(), "random-schemas"),
  ];
  for (const t of targets) await t.post("/api/v1/namespaces", { metadata: { name: t.namespace } });
  return targets;
}

realTest("schemas: random objects of random schemas get one verdict everywhere", async () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  const targets = await targetsOf();
  const kinds = [];
  for (let index = 0; index < KINDS; index++) {
    const { fields, schema } = await affordableFields(maker);
    const group = `k${index}.example.com`;
    const served = await Promise.all(targets.map((t) => serve(t, group, schema)));
    kinds.push({ fields, served });
  }
  let accepted = 0;
  for (const { fields, served } of kinds) {
    await Promise.all(served.map(({ kind }) => kind.waitUntilServed()));
    for (let count = 0; count < OBJECTS; count++) {
      const names = [...fields.keys()].filter(() => maker.chance(0.15));
      const spec = (): Record<string, unknown> =>
        Object.fromEntries(names.map((name) => [name, maker.valueOf(fields.get(name)!)]));
      const specs = [spec(), spec()] as const;
      const [real, embedded] = await Promise.all(
        served.map((each) => outcomes(each, `a${count}`, specs)),
      );
      assert.deepEqual(embedded, real, JSON.stringify(specs));
      if (real!.length === 2) accepted++;
    }
  }
  const total = KINDS * OBJECTS;
  assert(accepted > total / 10 && accepted < total * 0.9, `${accepted} of ${total} are accepted`);
});
