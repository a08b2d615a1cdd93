/**
 * Compares the claim of `diffCrd` with the API server's own validation: after random changes of random
 * schemas without a breaking one, each object that was valid is valid and keeps its fields.
 *
 * @module
 */
import assert from "node:assert/strict";
import { SCHEMA_CODE } from "@xca/apimachinery/internal/schema";
import { CustomResourceDefinition, resourceType } from "@xca/apimachinery/meta";
import {
  changedDefinitions,
  schemaIn,
  SchemaMaker,
} from "../../../../tests/support/random/schema_changes.ts";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { ApiError, mergePatch } from "../../../client/mod.ts";
import { ApiServer, clientOf } from "../../../testing/mod.ts";
import { worstLevel } from "../change.ts";
import { diffCrd } from "../compare/diff_crds.ts";
import { type CustomObject, ObjectJudge } from "./object_verdict.ts";
import { Sampler } from "./sample_object.ts";
import { isHarmed, withWitnesses } from "./witness.ts";

const code = await SCHEMA_CODE.get();
const ROUNDS = 300;
const OBJECTS = 25;
const SERVER_ROUNDS = 40;

Deno.test("diffCrd() claims no breaking change only where valid objects stay valid and whole", () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  const sampler = new Sampler(random);
  let [safe, checked] = [0, 0];
  for (const [old, now] of changedDefinitions(maker, ROUNDS)) {
    const changes = diffCrd(old, now);
    if (worstLevel(changes) === "breaking") continue;
    safe++;
    const [before, after] = [old, now].map((each) => new ObjectJudge(code, schemaIn(each)));
    for (let count = 0; count < OBJECTS; count++) {
      const fields = sampler.value(schemaIn(old), schemaIn(now)) as CustomObject;
      const metadata = { name: "a" };
      const object = { ...fields, apiVersion: "example.com/v1", kind: "Desk", metadata };
      const verdict = before!.judge(object);
      if (verdict.errors.length > 0 || verdict.dropped.length > 0) continue;
      checked++;
      assert(
        !isHarmed(object, verdict.stored, after!),
        JSON.stringify({ old: schemaIn(old), now: schemaIn(now), object, changes }, null, 1),
      );
    }
  }
  assert(safe > ROUNDS / 10, `only ${safe} of ${ROUNDS} changes are safe`);
  assert(checked > safe, `only ${checked} objects were valid`);
});

Deno.test("withWitnesses() finds an object for most breaking changes, and only valid ones", async () => {
  const { random } = printedRandom();
  let [breaking, shown] = [0, 0];
  for (const [old, now] of changedDefinitions(new SchemaMaker(random), ROUNDS)) {
    const changes = diffCrd(old, now);
    const judge = new ObjectJudge(code, schemaIn(old));
    const after = new ObjectJudge(code, schemaIn(now));
    for (const { level, witness } of await withWitnesses(changes, old, now)) {
      if (level === "breaking") breaking++;
      if (witness === undefined) continue;
      shown++;
      const verdict = judge.judge(witness);
      assert.deepEqual([verdict.errors, verdict.dropped], [[], []]);
      assert(isHarmed(witness, verdict.stored, after));
    }
  }
  assert(shown > breaking / 2, `only ${shown} of ${breaking} breaking changes have a witness`);
});

const Desk = resourceType({ group: "example.com", version: "v1", kind: "Desk", plural: "desks" });

Deno.test("the embedded server keeps objects over changes that are not breaking, and shows the witnesses of others", async () => {
  const { random } = printedRandom();
  const sampler = new Sampler(random);
  let [kept, harmed] = [0, 0];
  for (const [old, now] of changedDefinitions(new SchemaMaker(random), SERVER_ROUNDS)) {
    using server = await ApiServer.start();
    using client = clientOf(server);
    const install = { metadata: old.metadata, spec: old.spec };
    await client.create(CustomResourceDefinition, install);
    const changes = await withWitnesses(diffCrd(old, now), old, now);
    const isSafe = worstLevel(changes) !== "breaking";
    const witness = changes.find((change) => change.witness !== undefined)?.witness;
    const judge = new ObjectJudge(code, schemaIn(old));
    const fields = isSafe
      ? sampler.value(schemaIn(old), schemaIn(now)) as CustomObject
      : witness ?? {};
    const metadata = { name: "example", namespace: "default" };
    const object = { ...fields, apiVersion: "example.com/v1", kind: "Desk", metadata };
    const { errors, dropped } = judge.judge(object);
    if (errors.length + dropped.length > 0 || (!isSafe && witness === undefined)) continue;
    const context = JSON.stringify({ old: schemaIn(old), now: schemaIn(now), object, changes });
    const stored = await client.create(Desk, object);
    const patch = mergePatch({ spec: now.spec });
    await client.patch(CustomResourceDefinition, "desks.example.com", patch);
    const after = new ObjectJudge(code, schemaIn(now));
    const again = await client.create(Desk, {
      ...object,
      metadata: { ...metadata, name: "again" },
    }, { dryRun: true }).catch((error) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    if (isSafe) {
      kept++;
      assert(again !== undefined, context);
      const read = await client.get(Desk, "default/example");
      assert(!isHarmed({ ...stored }, { ...stored }, after), context);
      await client.update(Desk, read);
    } else {
      harmed++;
      const [before, then] = [stored, again ?? {}].map((each) =>
        JSON.stringify((each as Record<string, unknown>).spec)
      );
      const read = await client.get(Desk, "default/example");
      const isRead = JSON.stringify((read as unknown as Record<string, unknown>).spec);
      assert(before !== then || before !== isRead, context);
    }
  }
  assert(kept > 0 && harmed > 0, `${kept} kept, ${harmed} harmed`);
});
