/**
 * Random schemas, built by `s`: their definitions are accepted by kube-apiserver and by the embedded
 * server without a warning, and random objects get one verdict, with one form and one message, from
 * both.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type AnySchema, s } from "../../lib/resource/mod.ts";
import { type Made, SchemaMaker } from "../support/random_schemas.ts";
import { printedRandom } from "../support/seed.ts";
import { realTest } from "../real/suite.ts";
import { CustomKind, definitionIn, DEFINITIONS } from "./custom_kind.ts";
import { Servers } from "./servers.ts";
import { type Answer, Target } from "./target.ts";

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
}

async function serve(t: Target, group: string, schema: AnySchema): Promise<RandomKind> {
  const definition = definitionIn(group, { schema: schema.json as Record<string, unknown> });
  const { code, body, headers } = await t.post(DEFINITIONS, definition);
  assert.equal(code, 201, `${JSON.stringify(body)}\n${JSON.stringify(schema.json, null, 1)}`);
  assert.equal(headers.get("Warning"), null);
  return { t, kind: new CustomKind(t, definition) };
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

/** Creates an object, and updates it without an effect where it was accepted; returns both outcomes. */
async function outcomes(
  { t, kind }: RandomKind,
  name: string,
  specs: readonly [unknown, unknown],
): Promise<Outcome[]> {
  const created = await kind.create({ metadata: { name }, spec: specs[0] });
  if (created.code !== 201) return [outcomeOf(created)];
  const path = `${kind.path(`/${name}`)}?dryRun=All`;
  const updated = await t.put(path, { ...created.body, spec: specs[1] });
  return [outcomeOf(created), outcomeOf(updated)];
}

/** Returns random schemas as fields, and the schema of an object with all of them. */
function randomFields(maker: SchemaMaker): { fields: Map<string, Made>; schema: AnySchema } {
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
    const { fields, schema } = randomFields(maker);
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
