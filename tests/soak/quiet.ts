import assert from "node:assert/strict";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { errorText } from "../../lib/apimachinery/base/errors/error_text.ts";
import type { SharedInformer } from "../../lib/cache/informer/shared_informer.ts";
import type { Client } from "../../lib/client/typed/client.ts";
import type { KubeObject } from "../../lib/apimachinery/meta/object.ts";
import { keyOf, type ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";
import type { ResourceType } from "../../lib/apimachinery/meta/resource_type.ts";
import { Xca } from "../../lib/xca/xca.ts";
import { type Subject, versionOf } from "./subject.ts";

/** Thrown if an invariant does not hold. */
export class SoakViolation extends Error {
  override readonly name = "SoakViolation";
}

/**
 * The time within which all invariants must hold once all faults are over, in milliseconds: far
 * more than the longest back-off and request time-out of the subject, which are seconds.
 */
const QUIET_MS = 180_000;

/**
 * Waits until the subject is right, and holds it to everything that must be so then:
 * - each cache equals a fresh LIST: keys, uids, versions, whole objects;
 * - every Xca is active;
 * - what each handler was told amounts to the same, and made sense call by call;
 * - no handler has anything pending;
 * - no key was ever reconciled twice at once.
 *
 * @throws {SoakViolation} When one of these does not come true in time, or is broken for good.
 */
export async function checkQuiet(
  subject: Subject,
  direct: Client,
  namespace: string,
): Promise<void> {
  const endMs = systemClock.monotonicMs() + QUIET_MS;
  while (true) {
    const wrong = await difference(subject, direct, namespace);
    if (wrong === "") break;
    if (systemClock.monotonicMs() > endMs) {
      throw new SoakViolation(`not right ${QUIET_MS / 1000} s after the last fault: ${wrong}`);
    }
    await delay(100);
  }
  if (subject.overlap) throw new SoakViolation(`${subject.overlap} was reconciled twice at once`);
  for (const { follower } of subject.following) {
    if (follower.violation) throw new SoakViolation(`${follower.name}: ${follower.violation}`);
  }
}

/** Returns the violated invariants as one line; empty when all hold. */
async function difference(subject: Subject, direct: Client, namespace: string): Promise<string> {
  const wrong: string[] = [];
  for (const informer of [subject.configMaps, subject.xcas] as unknown as SharedInformer[]) {
    let listed: Map<ObjectKey, KubeObject>;
    try {
      const type: ResourceType = informer.type;
      const { items } = await direct.list(type, { namespace });
      listed = new Map(items.map((item) => [keyOf(item), item]));
    } catch (error) {
      return `cannot list: ${errorText(error)}`;
    }
    wrong.push(...cacheDifferences(informer, listed));
    for (const following of subject.following.filter((each) => each.informer === informer)) {
      const { follower: { name, state }, registration: { pending } } = following;
      if (pending > 0) wrong.push(`${name}: ${pending} pending`);
      for (const [key, object] of listed) {
        const told = state.get(key);
        if (told !== versionOf(object)) wrong.push(`${name} knows ${key} as ${told}`);
      }
      for (const key of state.keys()) if (!listed.has(key)) wrong.push(`${name} still has ${key}`);
    }
  }
  return wrong.slice(0, 5).join("; ");
}

function* cacheDifferences(
  informer: SharedInformer,
  listed: ReadonlyMap<ObjectKey, KubeObject>,
): Generator<string> {
  const { indexer, type } = informer;
  for (const [key, object] of listed) {
    const cached = indexer.get(key);
    if (type.id === Xca.id && (object as Xca).status?.active !== true) yield `${key} is not active`;
    if (!cached) yield `the cache has no ${key}`;
    else if (versionOf(cached) !== versionOf(object)) {
      yield `the cache has ${key} at ${versionOf(cached)}, the server at ${versionOf(object)}`;
    } else if (!equal(cached, object)) yield `the cache has other text for ${key}`;
  }
  for (const key of indexer.keys()) if (!listed.has(key)) yield `the cache still has ${key}`;
}

function equal(one: unknown, other: unknown): boolean {
  try {
    assert.deepStrictEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
