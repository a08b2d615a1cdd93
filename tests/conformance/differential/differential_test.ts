/**
 * Random sequences of requests, played on the embedded server and on kube-apiserver at once: what they
 * answer must not differ. Sequences that once did are kept in `differential/kept.json`; what
 * kube-apiserver answered to those is recorded, so that they are played where there is none too.
 *
 * @module
 */
import assert from "node:assert/strict";
import { testSeed } from "../../support/seed.ts";
import { realTest } from "../../real/suite.ts";
import { compare, isByChance, type Pair, shrink } from "./compare.ts";
import kept from "./kept.json" with { type: "json" };
import { makeSequence } from "./make.ts";
import { Player, prepare, type Sequence } from "./play.ts";
import { Servers } from "../servers.ts";
import { conformanceSuite } from "../suite.ts";
import { Target } from "../target.ts";

const SEQUENCES = Number(Deno.env.get("XCA_SEQUENCES") ?? 12);
const LENGTH = 60;

const conformance = conformanceSuite(import.meta.url);
for (const [name, sequence] of Object.entries(kept as unknown as Record<string, Sequence>)) {
  conformance(name, async (t) => {
    t.managedFields = true;
    await prepare(t);
    await new Player(t).run(sequence);
  });
}

const servers = new Servers({});
Deno.test.beforeAll(() => servers.start());
Deno.test.afterAll(() => servers[Symbol.asyncDispose]());

async function pair(): Promise<Pair> {
  const both = { real: await servers.real(), embedded: await servers.embedded() };
  await prepare(new Target("kube-apiserver", both.real, "prepare"));
  await prepare(new Target("embedded", both.embedded, "prepare"));
  return both;
}

realTest("differential: random sequences are answered alike by both servers", async () => {
  const seed = testSeed();
  const both = await pair();
  for (let index = 0; index < SEQUENCES; index++) {
    const sequence = makeSequence(seed + index, LENGTH);
    const first = await compare(both, sequence);
    if (first === undefined || await isByChance(both, sequence, first)) continue;
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
