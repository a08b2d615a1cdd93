/**
 * Random sequences of requests, played on the embedded server and on kube-apiserver at once: what they
 * answer must not differ. Sequences that once did are kept in `differential/kept.json`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { testSeed } from "../support/seed.ts";
import { realTest } from "../real/suite.ts";
import { compare, shrink } from "./differential/compare.ts";
import kept from "./differential/kept.json" with { type: "json" };
import { makeSequence } from "./differential/make.ts";
import { prepare, type Sequence } from "./differential/play.ts";
import { Servers } from "./servers.ts";

const SEQUENCES = Number(Deno.env.get("XCA_SEQUENCES") ?? 40);
const LENGTH = 60;

const servers = new Servers({});
Deno.test.afterAll(() => servers[Symbol.asyncDispose]());

async function pair(): Promise<Parameters<typeof compare>[0]> {
  const both = { real: await servers.real(), embedded: await servers.embedded() };
  await Promise.all([prepare(both.real), prepare(both.embedded)]);
  return both;
}

realTest("differential: sequences that once differed do not differ", async () => {
  const both = await pair();
  for (const [name, sequence] of Object.entries(kept as unknown as Record<string, Sequence>)) {
    assert.deepEqual(await compare(both, sequence), undefined, name);
  }
});

realTest("differential: random sequences are answered alike by both servers", async () => {
  const seed = testSeed();
  const both = await pair();
  for (let index = 0; index < SEQUENCES; index++) {
    const sequence = makeSequence(seed + index, LENGTH);
    if (await compare(both, sequence) === undefined) continue;
    const small = await shrink(both, sequence);
    const difference = await compare(both, small);
    assert.fail(
      `Sequence of seed ${seed + index} differs (XCA_SEED=${seed + index} XCA_SEQUENCES=1):\n` +
        `${JSON.stringify(small, null, 1)}\n` +
        `kube-apiserver: ${JSON.stringify(difference?.real)}\n` +
        `embedded:       ${JSON.stringify(difference?.embedded)}`,
    );
  }
});
