import { isDeepStrictEqual } from "node:util";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import {
  type KubeObject,
  type ObjectKey,
  parseKey,
  parseKeyOf,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import { clientOf, type InProcessServer } from "./embedded_client.ts";
import { untilSettled } from "./until_settled.ts";

/**
 * A type with a part of the fields of a value, at any depth; arrays must have all their items, each
 * with a part of its fields.
 */
export type Partially<T> = T extends readonly (infer Item)[] ? readonly Partially<Item>[]
  : T extends object ? { readonly [Field in keyof T]?: Partially<T[Field]> | undefined }
  : T;

/**
 * The state of an object that {@linkcode expectObject} waits for: the fields that the object must
 * have (others may have any value, those expected as `undefined` must be absent), or a predicate.
 */
export type Expectation<T> = Partially<T> | ((object: T) => boolean);

/** Options of {@linkcode expectObject} and {@linkcode expectGone}. */
export interface ExpectOptions {
  /** The timeout of the expectation in milliseconds, on `clock`. @default {60_000} */
  readonly timeoutMs?: number;
  /**
   * The clock that measures the timeout of the expectation; the expectation does not advance a
   * clock that is given.
   *
   * @default {that of an in-process server, where time passes during the expectation if it is a
   * FakeClock; with a client, systemClock}
   */
  readonly clock?: Clock;
}

const TIMEOUT_MS = 60_000;

/**
 * Waits, by lists and watches, until an object exists and has the expected state; resolves to the
 * object as it was then. Resolves after the first list if the object has the state already.
 *
 * @throws {Error} When the timeout passes before that; the message has the last state of the
 * object.
 * @throws {unknown} The error of a list or watch, or of the predicate.
 * @throws {TypeError} When the key is not valid for the resource, or `expected` is missing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { runOperator } from "@xca/operator/controller";
 * import { ApiServer, clientOf, expectObject } from "@xca/operator/testing";
 * import { Xca, xcaOperator } from "@xca/operator/xca";
 *
 * using server = await ApiServer.start();
 * await server.seed(xcaOperator.crds);
 * using client = clientOf(server);
 * await client.create(Xca, { metadata: { name: "a" } });
 * const operator = runOperator(xcaOperator, { client });
 * const active = await expectObject(server, Xca, "default/a", { status: { active: true } });
 * assert(active.status?.last_update_time);
 * await operator.stop();
 * ```
 */
export async function expectObject<T extends KubeObject>(
  server: InProcessServer | Client,
  type: ResourceType<T>,
  key: ObjectKey,
  expected: Expectation<T>,
  options: ExpectOptions = {},
): Promise<T> {
  parseKeyOf(type, key);
  if (expected === undefined || expected === null) {
    throw new TypeError(`Cannot expect ${type.kind} ${key}: give its fields, or a function`);
  }
  const says = typeof expected === "function"
    ? expected
    : (object: T) => includes(object, expected);
  const found = await untilSeen(server, { type, key }, (object) => object && says(object), options);
  if (found.ok) return found.object!;
  const failure = typeof expected === "function"
    ? "did not satisfy the function"
    : `was not ${show(expected)}`;
  throw new Error(`${type.kind} ${key} ${failure} within ${found.seconds} s; ${found.last}`);
}

/**
 * Waits, by lists and watches, until an object does not exist; resolves after the first list if
 * there is none. An object that waits for finalizers exists.
 *
 * @throws {Error} When the timeout passes before that; the message has the last state of the
 * object.
 * @throws {unknown} The error of a list or watch.
 * @throws {TypeError} When the key is not valid for the resource.
 *
 * @example
 * ```ts
 * import { ConfigMap } from "@xca/operator/meta";
 * import { ApiServer, clientOf, expectGone } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "a" } });
 * await client.delete(ConfigMap, "default/a");
 * await expectGone(server, ConfigMap, "default/a");
 * ```
 */
export async function expectGone<T extends KubeObject>(
  server: InProcessServer | Client,
  type: ResourceType<T>,
  key: ObjectKey,
  options: ExpectOptions = {},
): Promise<void> {
  parseKeyOf(type, key);
  const found = await untilSeen(server, { type, key }, (object) => object === undefined, options);
  if (!found.ok) {
    throw new Error(`${type.kind} ${key} was not gone within ${found.seconds} s; ${found.last}`);
  }
}

interface Outcome<T> {
  readonly ok: boolean;
  readonly object: T | undefined;
  readonly seconds: number;
  /** The last observed state of the expected object, as text for the error message. */
  readonly last: string;
}

/** The resource and key of the object of an expectation. */
interface Expected<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly key: ObjectKey;
}

function untilSeen<T extends KubeObject>(
  server: InProcessServer | Client,
  at: Expected<T>,
  enough: (object: T | undefined) => boolean | undefined,
  options: ExpectOptions,
): Promise<Outcome<T>> {
  const ownClock = "fetch" in server ? server.clock : undefined;
  const clock = options.clock ?? ownClock ?? systemClock;
  const seen = watchedUntil(server, at, enough, { ...options, clock });
  return options.clock ? seen : untilSettled(seen, ownClock);
}

async function watchedUntil<T extends KubeObject>(
  server: InProcessServer | Client,
  at: Expected<T>,
  enough: (object: T | undefined) => boolean | undefined,
  { timeoutMs = TIMEOUT_MS, clock = systemClock }: ExpectOptions,
): Promise<Outcome<T>> {
  using client = "fetch" in server ? clientOf(server, { clock }) : borrowed(server);
  const { namespace, name } = parseKey(at.key);
  const over = new AbortController();
  using _timer = clock.after(timeoutMs, () => over.abort());
  let last: T | undefined;
  const outcome = (ok: boolean): Outcome<T> => ({
    ok,
    object: last,
    seconds: timeoutMs / 1000,
    last: last ? `it was last ${show(last)}` : "it was not there",
  });
  const options = {
    fieldSelector: `metadata.name=${name}`,
    signal: over.signal,
    ...(namespace !== undefined && { namespace }),
  };
  try {
    while (true) {
      const { items, metadata } = await client.list(at.type, options);
      last = items[0];
      if (enough(last)) return outcome(true);
      const { resourceVersion } = metadata;
      for await (const event of client.watch(at.type, { ...options, resourceVersion })) {
        if (event.type === "BOOKMARK") continue;
        last = event.type === "DELETED" ? undefined : event.object;
        if (enough(last)) return outcome(true);
      }
    }
  } catch (error) {
    if (over.signal.aborted) return outcome(false);
    throw error;
  } finally {
    over.abort();
  }
}

/** Returns the `list` and `watch` of a client; disposing the result leaves the client open. */
function borrowed(client: Client): Pick<Client, "list" | "watch"> & Disposable {
  return {
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    [Symbol.dispose]: () => {},
  };
}

/**
 * Reports whether a value includes all expected fields, at any depth: maps may have further fields,
 * arrays must have the same length, and other values be equal.
 */
function includes(value: unknown, expected: unknown): boolean {
  if (expected === null || typeof expected !== "object") return isDeepStrictEqual(value, expected);
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(expected)) {
    return Array.isArray(value) && value.length === expected.length &&
      expected.every((item, index) => includes(value[index], item));
  }
  return Object.entries(expected).every(([field, inner]) =>
    includes((value as Record<string, unknown>)[field], inner)
  );
}

/**
 * Returns an object or its expected fields as JSON for the message of a failed test, without
 * `managedFields`.
 */
function show(value: unknown): string {
  return JSON.stringify(value, (key, inner) => key === "managedFields" ? undefined : inner);
}
