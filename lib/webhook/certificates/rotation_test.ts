import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { alternativeNames, isSignedBy } from "@xca/apimachinery/internal/pki";
import { checkPair, parseCertificate } from "@xca/apimachinery/pki";
import {
  bundleOf,
  materialOf,
  NO_MATERIAL,
  type OwnMaterial,
  withMaterial,
} from "./own_material.ts";
import { nextMaterial, nextStepInMs, type RotationRules } from "./rotation.ts";

const START = new Date("2026-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const RULES: RotationRules = {
  names: ["web.shop.svc"],
  caDays: 365,
  servingDays: 90,
  propagationMs: 300_000,
  jitter: 0,
};

function day(days: number): Date {
  return new Date(START.getTime() + days * DAY_MS);
}

/** Returns the material after all steps that are due at a time, published long before. */
async function settled(
  material: OwnMaterial,
  now: Date,
  { rules = RULES, publishedForMs = 0 }: { rules?: RotationRules; publishedForMs?: number } = {},
): Promise<OwnMaterial> {
  let steps = 0;
  for (let last = material;;) {
    assert(steps++ < 10, "the steps do not end");
    const next = await nextMaterial(last, rules, { now, publishedForMs });
    if (!next) return last;
    last = next;
    publishedForMs = bundleOf(last) === bundleOf(material) ? publishedForMs : 0;
  }
}

function signerOf(material: OwnMaterial): number {
  const serving = new X509Certificate(material.serving!.cert);
  return material.trusted.findIndex((cert) => isSignedBy(serving, new X509Certificate(cert)));
}

Deno.test("rotation: two years take the steps in their order, with the old authority trusted until it expires", async () => {
  let material = await settled(NO_MATERIAL, START);
  const events: string[] = [];
  let published = bundleOf(material);
  for (let at = 0; at <= 730; at++) {
    const now = day(at);
    const isPublished = bundleOf(material) === published;
    published = bundleOf(material);
    const publishedForMs = isPublished ? DAY_MS : 0;
    const next = await settled(material, now, { publishedForMs });
    if (next.serving !== material.serving) events.push(`${at}: certificate of ${signerOf(next)}`);
    if (next.trusted.length > material.trusted.length) events.push(`${at}: authority`);
    if (next.trusted.length < material.trusted.length) events.push(`${at}: end of authority`);
    material = next;
    const { notAfter } = parseCertificate(material.serving!.cert);
    assert(notAfter > now);
    const fault = checkPair(material.serving!, { at: now, ca: bundleOf(material) });
    assert.equal(fault, undefined);
  }
  assert.deepEqual(events, [
    "60: certificate of 0",
    "120: certificate of 0",
    "180: certificate of 0",
    "240: certificate of 0",
    "244: authority",
    "246: certificate of 1",
    "306: certificate of 1",
    "366: certificate of 0",
    "366: end of authority",
    "426: certificate of 0",
    "486: certificate of 0",
    "488: authority",
    "490: certificate of 1",
    "550: certificate of 1",
    "610: certificate of 0",
    "610: end of authority",
    "670: certificate of 0",
    "730: certificate of 0",
  ]);
});

Deno.test("rotation: a new authority signs nothing while it is not published, up to the end of the old one", async () => {
  const first = await settled(NO_MATERIAL, START);
  const rotating = await settled(first, day(250));
  assert.equal(rotating.trusted.length, 2);
  assert(rotating.next);
  for (const at of [251, 300, 340, 360, 364]) {
    const now = day(at);
    const moment = { publishedForMs: RULES.propagationMs - 1 };
    const later = await settled(rotating, now, moment);
    assert.equal(signerOf(later), 0, `day ${at}`);
    assert(parseCertificate(later.serving!.cert).notAfter <= day(365));
    assert(nextStepInMs(later, RULES, { now, ...moment }) > 0);
  }
  // A certificate that ends with its authority is not replaced again and again.
  const last = await settled(rotating, day(364.99), {});
  assert.equal(await nextMaterial(last, RULES, { now: day(364.99), publishedForMs: 0 }), undefined);
  // Nothing can be refused any more: the new one signs at once.
  const emergency = await settled(rotating, day(366));
  assert.equal(signerOf(emergency), emergency.trusted.length - 1);
  assert.equal(checkPair(emergency.serving!, { at: day(366), ca: bundleOf(emergency) }), undefined);
});

Deno.test("rotation: the key of an authority that signs no more is dropped", async () => {
  const first = await settled(NO_MATERIAL, START);
  const rotating = await settled(first, day(250));
  const done = await settled(rotating, day(251), { publishedForMs: RULES.propagationMs });
  assert.equal(done.signing?.cert, rotating.next?.cert);
  assert.equal(done.next, undefined);
  assert(!JSON.stringify(withMaterial({}, done)).includes(btoa(first.signing!.key)));
  assert.deepEqual(done.trusted, rotating.trusted);
});

Deno.test("rotation: a replica with other names adds its own, and two of them settle", async () => {
  const first = await settled(NO_MATERIAL, START);
  const others = { ...RULES, names: ["other.shop.svc", "127.0.0.1", "::1"] };
  const both = await settled(first, day(1), { rules: others });
  assert.notEqual(both.serving, first.serving);
  assert.equal(
    checkPair(both.serving!, { at: day(1), hosts: [...RULES.names, ...others.names] }),
    undefined,
  );
  assert.equal(await settled(both, day(1)), both);
  assert.equal(await settled(both, day(1), { rules: others }), both);
  // A renewal leaves out names that are no longer requested.
  const renewed = await settled(both, day(62));
  assert.deepEqual(alternativeNames(new X509Certificate(renewed.serving!.cert)), RULES.names);
});

Deno.test("rotation: what is damaged or missing in the Secret is made again, and what clients trust is kept", async () => {
  const first = await settled(NO_MATERIAL, START);
  const data = withMaterial({}, first);
  const now = day(1);
  const of = (changes: Record<string, string | undefined>): Promise<OwnMaterial> => {
    const left = Object.entries({ ...data, ...changes }).filter(([, value]) => value !== undefined);
    return settled(materialOf({ data: Object.fromEntries(left) as Record<string, string> }), now);
  };
  const garbage = btoa("garbage");
  for (const key of ["tls.crt", "tls.key"]) {
    for (const value of [undefined, "", garbage, "not base64!"]) {
      const { signing, serving, trusted } = await of({ [key]: value });
      assert.equal(signing?.cert, first.signing!.cert, `${key}=${value}`);
      assert.notEqual(serving!.cert, first.serving!.cert);
      assert.deepEqual(trusted, first.trusted);
    }
  }
  for (const key of ["ca-signing.crt", "ca-signing.key"]) {
    for (const value of [undefined, garbage]) {
      const { next, serving, trusted } = await of({ [key]: value });
      assert.equal(
        serving?.cert,
        first.serving!.cert,
        "the certificate stays while clients accept it",
      );
      assert(next);
      assert.deepEqual(trusted, [first.trusted[0], next.cert]);
    }
  }
  for (const value of [undefined, garbage]) {
    assert.deepEqual((await of({ "ca.crt": value })).trusted, first.trusted);
  }
  const empty = await of(Object.fromEntries(Object.keys(data).map((key) => [key, undefined])));
  assert.equal(checkPair(empty.serving!, { at: now, ca: bundleOf(empty) }), undefined);
});

Deno.test("rotation: material of a clock that is ahead is replaced in a few steps, by a clock that is right", async () => {
  for (const days of [-3650, -1, 1, 3650]) {
    const now = day(3650);
    const other = await settled(NO_MATERIAL, new Date(now.getTime() + days * DAY_MS));
    const material = await settled(other, now); // Ends, in a few steps.
    const ca = bundleOf(material);
    assert.equal(checkPair(material.serving!, { at: now, ca, hosts: RULES.names }), undefined);
  }
});

Deno.test("rotation: a certificate of somebody else, for other names, is replaced at once", async () => {
  const { serving, trusted } = await settled(NO_MATERIAL, START, {
    rules: { ...RULES, names: ["other.example.com"] },
  });
  const material = await settled({ ...NO_MATERIAL, serving, trusted }, day(1));
  const ca = bundleOf(material);
  assert.equal(checkPair(material.serving!, { at: day(1), ca, hosts: RULES.names }), undefined);
});

Deno.test("rotation: data of other keys is kept, and a certificate never outlasts its authority", async () => {
  const material = await settled(NO_MATERIAL, START, {
    rules: { ...RULES, caDays: 10, servingDays: 10 },
  });
  assert(
    parseCertificate(material.serving!.cert).notAfter <=
      parseCertificate(material.signing!.cert).notAfter,
  );
  assert.equal(withMaterial({ note: "eA==" }, material)["note"], "eA==");
  const stored = materialOf({ data: withMaterial({ note: "eA==" }, material) });
  assert.deepEqual(stored, material);
});
