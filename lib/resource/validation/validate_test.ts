import assert from "node:assert/strict";
import { SCHEMA_CODE } from "@xca/apimachinery/internal/schema";
import type { KubeObject } from "@xca/apimachinery/meta";
import { SchemaMaker } from "../../../tests/support/random/random_schemas.ts";
import { printedRandom } from "../../../tests/support/seed.ts";
import { applyDefaults, defineResource, prune, s, validate } from "../mod.ts";
import { ObjectJudge } from "../evolution/witness/object_verdict.ts";
import { validatorOf } from "./validate.ts";

const SCHEMAS = 150;
const VALUES = 10;

const Lock = defineResource({
  group: "example.org",
  version: "v1",
  kind: "Lock",
  metadata: { name: s.string({ maxLength: 10 }) },
  spec: s.object({
    holder: s.string({ pattern: "^[a-z]+$" }),
    seconds: s.integer({ minimum: 1, default: 30, immutable: true }),
    zones: s.optional(s.array(s.string(), { listType: "set" })),
    note: s.optional(s.string()),
  }, { rules: [{ rule: "self.holder != 'nobody'", message: "a lock needs a holder" }] }),
  status: s.object({ expires: s.dateTime() }),
});

/** Returns the problems of a Lock as texts. */
async function problemsOf(object: KubeObject, old?: KubeObject): Promise<string[]> {
  const problems = await validate(Lock, object, old ? { old } : {});
  return problems.map(({ field, message }) => `${field}: ${message}`);
}

function lock(spec: Record<string, unknown>, metadata: KubeObject["metadata"] = { name: "a" }) {
  return { metadata, spec };
}

Deno.test("validate() names each fault with its path, in the words of the API server", async () => {
  assert.deepEqual(await problemsOf(lock({ holder: "me" })), []);
  assert.deepEqual(await problemsOf(lock({ holder: "me", unknown: 1, note: null })), []);
  assert.deepEqual(await problemsOf(lock({ holder: "Me", zones: ["a", "a"], seconds: "1" })), [
    "spec.holder: Invalid value: \"Me\": spec.holder in body should match '^[a-z]+$'",
    'spec.seconds: Invalid value: "string": spec.seconds in body must be of type integer: "string"',
    'spec.zones[1]: Duplicate value: "a"',
    "<nil>: Invalid value: null: some validation rules were not checked because the object was " +
    "invalid; correct the existing errors to complete validation",
  ]);
  assert.deepEqual(await problemsOf(lock({ holder: "nobody" })), [
    "spec: Invalid value: a lock needs a holder",
  ]);
  assert.match((await problemsOf(lock({ holder: "me" }, { name: "A" })))[0]!, /^metadata.name: /);
  assert.match((await problemsOf(lock({ holder: "me" }, { name: "a".repeat(11) })))[0]!, /10/);
  assert.match((await problemsOf({ ...lock({ holder: "me" }), kind: "Key" }))[0]!, /must be Lock/);
  assert.deepEqual(
    await problemsOf(lock({ holder: "me" }, { labels: { a: "!" } })).then((all) => all.length),
    1,
  );
});

Deno.test("validate() of an update checks transition rules", async () => {
  const old = lock({ holder: "me", seconds: 5 });
  assert.deepEqual(await problemsOf(lock({ holder: "you", seconds: 5 }), old), []);
  assert.deepEqual(await problemsOf(lock({ holder: "me", seconds: 6 }), old), [
    "spec.seconds: Invalid value: 6: field is immutable",
  ]);
});

Deno.test("applyDefaults() and prune() return changed copies", async () => {
  const spec = Object.freeze({ holder: "me", color: "red" });
  const given = Object.freeze({ metadata: { name: "a" }, spec });
  const filled = await applyDefaults(Lock, given);
  assert.deepEqual(filled.spec, { ...spec, seconds: 30 });
  assert.deepEqual([filled.apiVersion, filled.kind], ["example.org/v1", "Lock"]);
  const { object, dropped } = await prune(Lock, given);
  assert.deepEqual([object.spec, dropped], [{ holder: "me" }, ["spec.color"]]);
});

Deno.test("validate() accepts the objects that the full check accepts, with and without the quick check", async () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  const code = await SCHEMA_CODE.get();
  let accepted = 0;
  for (let count = 0; count < SCHEMAS; count++) {
    const made = maker.schema();
    const Random = defineResource({
      group: "example.org",
      version: "v1",
      kind: "Random",
      spec: s.object({ value: made.schema }),
    });
    const validator = await validatorOf(Random);
    const judge = new ObjectJudge(code, Random.crd.spec.versions[0]!.schema!.openAPIV3Schema!);
    for (let index = 0; index < VALUES; index++) {
      const object = {
        apiVersion: "example.org/v1",
        kind: "Random",
        metadata: { name: "a" },
        spec: { value: made.value() },
      };
      const before = JSON.stringify(object);
      const problems = validator.validate(object);
      const { errors } = judge.judge(object);
      const shown = `${JSON.stringify(made.schema.json)} of ${before}`;
      assert.equal(problems.length === 0, errors.length === 0, `${shown}: ${errors}`);
      assert.equal(JSON.stringify(object), before);
      if (problems.length === 0) accepted++;
    }
  }
  assert(accepted > SCHEMAS, `only ${accepted} objects are valid`);
});

Deno.test("validate(), applyDefaults() and prune() name what is no object, or no resource", async () => {
  const inItself: Record<string, unknown> = { metadata: { name: "a" }, spec: {} };
  inItself.self = inItself;
  for (
    const [call, verb] of [[validate, "validate"], [applyDefaults, "apply"], [
      prune,
      "prune",
    ]] as const
  ) {
    const of = async (type: unknown, object: unknown): Promise<void> => {
      await (call as (type: unknown, object: unknown) => Promise<unknown>)(type, object);
    };
    const named = (words: string): { name: string; message: RegExp } => ({
      name: "TypeError",
      message: new RegExp(`^Cannot ${verb} .*${words}`),
    });
    await assert.rejects(
      of(Lock, null),
      named("locks.example.org: it must be an object .* is null"),
    );
    await assert.rejects(of(Lock, "text"), named("is string"));
    await assert.rejects(of(Lock, []), named("is an array"));
    await assert.rejects(of(Lock, inItself), named("locks.example.org: it contains itself"));
    await assert.rejects(
      of({ kind: "Pod" }, {}),
      named("without a definition: give what defineResource"),
    );
    await assert.rejects(of(undefined, {}), named("without a definition"));
  }
});

Deno.test("validatorOf() loads again after a failure", async () => {
  const { crd } = Lock;
  const versions = [...crd.spec.versions];
  const type = {
    crd: { ...crd, spec: { ...crd.spec, versions: [] as typeof versions } },
    version: "v1",
  };
  await assert.rejects(validatorOf(type));
  type.crd.spec.versions.push(...versions);
  await validatorOf(type);
});
