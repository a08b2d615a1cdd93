import { markClass } from "@xca/apimachinery/internal/base";
import {
  Backoff,
  type Clock,
  delay,
  errorText,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import {
  type KubeObject,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { ApiError, isGone, isTimeout, isTooManyRequests } from "../errors/api_error.ts";
import type { Client } from "../typed/client.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../errors/unreachable_error.ts";
import { conditionCheck } from "./wait_condition.ts";

/**
 * A condition of {@linkcode waitFor}: a function that reports whether the object (`undefined` while
 * it does not exist) meets the condition, or a text as in `kubectl wait --for`: `condition=Ready`
 * (status `True`), `condition=Ready=False`, `create`, `delete`. Type and status are compared
 * without regard to case.
 *
 * A condition in the status counts only when it was observed for the current generation, by its
 * `observedGeneration` or else that of the status, if there is one.
 */
export type WaitCondition<T extends KubeObject> =
  | ((object: T | undefined) => boolean)
  | "create"
  | "delete"
  | `condition=${string}`;

/** Options of {@linkcode waitFor}, which waits until an object meets a condition. */
export interface WaitOptions {
  /** The signal that aborts the wait. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** The deadline of the wait, in milliseconds; 0 is no deadline. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The clock that measures the deadline of the wait. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source for the jitter of the wait's retries. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/**
 * The error of {@linkcode waitFor} when the condition was not met before the deadline.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, waitFor, WaitTimeoutError } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const list = { metadata: { resourceVersion: "1" }, items: [] };
 * const fetch = ({ url }: Request) =>
 *   Promise.resolve(url.includes("watch=") ? new Response() : Response.json(list));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const waiting = waitFor(client, Pod, "default/web-0", "create", { timeoutMs: 50 });
 * await assert.rejects(waiting, WaitTimeoutError);
 * ```
 */
export class WaitTimeoutError extends Error {
  /** The name of this error class, `WaitTimeoutError`. */
  override readonly name = "WaitTimeoutError";
  readonly #last: KubeObject | undefined;

  /**
   * Creates the error of a wait that missed its deadline; `last` is the object as it was last seen.
   */
  constructor(message: string, last: KubeObject | undefined, options?: ErrorOptions) {
    super(message, options);
    this.#last = last;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/WaitTimeoutError"));
  }

  /**
   * The awaited object as it was last seen; `undefined` when it did not exist, or no read of it
   * succeeded. Printing the error does not show the object, which may be a Secret.
   */
  get last(): KubeObject | undefined {
    return this.#last;
  }
}

/**
 * The least requested length of a watch of {@linkcode waitFor}, after which the watch is resumed,
 * in seconds. The length is chosen at random, up to twice this.
 */
const WATCH_SECONDS = 300;
/**
 * The time beyond its requested length that a watch of {@linkcode waitFor} may be silent before it
 * counts as broken, in milliseconds.
 */
const MARGIN_MS = 30_000;
/**
 * The length below which a pause follows a watch of {@linkcode waitFor} that the server ended, in
 * milliseconds.
 */
const SHORT_MS = 1_000;
/**
 * The number of watches in a row that failed or ended at once without an event, after which
 * {@linkcode waitFor} reads the object again.
 */
const MAX_FRUITLESS = 2;

/**
 * Waits until an object meets a condition: reads it once, then watches it, and resumes the watch
 * when it ends. While watches fail for a temporary reason, or end at once without an event, the
 * function reads the object again at growing intervals. The client needs `list` and `watch` of the
 * resource. For the condition `delete`, an object that was created again with another UID counts as
 * deleted.
 *
 * @returns The object that met the condition; `undefined` when it does not exist.
 * @throws {WaitTimeoutError} When the deadline passes; the error has the object as it was last
 * seen.
 * @throws {ApiError} When the server refuses the read or the watch, such as `isForbidden`; refusals
 * that may be temporary (429, 500 and above) are retried until the deadline.
 * @throws {UnreachableError} When the connection fails for a reason that is not temporary, such as
 * an untrusted certificate.
 * @throws {TypeError} When the condition is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, waitFor } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const status = { conditions: [{ type: "Ready", status: "True" }] };
 * const items = [{ metadata: { namespace: "default", name: "web-0" }, status }];
 * const fetch = () => Promise.resolve(Response.json({ metadata: { resourceVersion: "1" }, items }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const pod = await waitFor(client, Pod, "default/web-0", "condition=Ready", { timeoutMs: 60_000 });
 * assert.equal(pod?.metadata.name, "web-0");
 * ```
 */
export async function waitFor<T extends KubeObject>(
  client: Pick<Client, "list" | "watch">,
  type: ResourceType<T>,
  key: ObjectKey,
  condition: WaitCondition<T>,
  options: WaitOptions = {},
): Promise<T | undefined> {
  const { timeoutMs = 30_000, clock = systemClock, random = systemRandom } = options;
  const wait = new ObjectWait(client, type, key, condition, random);
  const late = new Error("time is up");
  using link = linkedAbort({
    signals: [options.signal],
    timeoutMs: timeoutMs > 0 ? timeoutMs : undefined,
    timeoutReason: () => late,
    clock,
  });
  try {
    return await wait.run(link.signal, clock);
  } catch (error) {
    if (link.signal.aborted && link.signal.reason === late) throw wait.tooLate(timeoutMs);
    throw link.signal.aborted ? link.signal.reason : error;
  }
}

class ObjectWait<T extends KubeObject> {
  readonly #client: Pick<Client, "list" | "watch">;
  readonly #type: ResourceType<T>;
  readonly #key: ObjectKey;
  readonly #condition: WaitCondition<T>;
  readonly #met: (object: T | undefined) => boolean;
  readonly #random: Random;
  readonly #select: { readonly namespace: string | undefined; readonly fieldSelector: string };
  #last: T | undefined;
  /** Reports whether a read or a watch has shown whether the object exists. */
  #seen = false;
  #firstUid: string | undefined;
  #resourceVersion: string | undefined;
  #trouble: unknown;
  /** The number of watches in a row without an event that failed or ended at once. */
  #fruitless = 0;

  constructor(
    client: Pick<Client, "list" | "watch">,
    type: ResourceType<T>,
    key: ObjectKey,
    condition: WaitCondition<T>,
    random: Random,
  ) {
    this.#client = client;
    this.#type = type;
    this.#key = key;
    this.#condition = condition;
    this.#met = typeof condition === "function" ? condition : conditionCheck(condition);
    this.#random = random;
    const { namespace, name } = parseKey(key);
    this.#select = { namespace, fieldSelector: `metadata.name=${name}` };
  }

  async run(signal: AbortSignal, clock: Clock): Promise<T | undefined> {
    const backoff = new Backoff({ clock, random: this.#random });
    for (;;) {
      signal.throwIfAborted();
      try {
        if (this.#resourceVersion === undefined ? await this.#look(signal) : false) break;
        const beganMs = clock.monotonicMs();
        if (await this.#watch(signal)) break;
        this.#trouble = undefined;
        // A server that ends watches at once is asked again at growing intervals.
        if (clock.monotonicMs() - beganMs >= SHORT_MS) {
          backoff.reset();
          this.#fruitless = 0;
          continue;
        }
        this.#readAgain();
        await delay(backoff.nextMs(), { signal, clock });
      } catch (error) {
        signal.throwIfAborted();
        if (isGone(error)) this.#resourceVersion = undefined;
        else if (!passes(error)) throw error;
        this.#readAgain();
        this.#trouble = error;
        await delay(backoff.nextMs(), { signal, clock });
      }
    }
    return this.#last;
  }

  /**
   * Makes the next step a read after some fruitless watches in a row, since a server may refuse
   * watches while it answers reads.
   */
  #readAgain(): void {
    if (this.#fruitless >= MAX_FRUITLESS) this.#resourceVersion = undefined;
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { items, metadata } = await this.#client.list(this.#type, { ...this.#select, signal });
    this.#resourceVersion = metadata.resourceVersion;
    return this.#see(items[0]);
  }

  async #watch(signal: AbortSignal): Promise<boolean> {
    const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + this.#random.next()));
    this.#fruitless++;
    const events = this.#client.watch(this.#type, {
      ...this.#select,
      signal,
      resourceVersion: this.#resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds,
      idleTimeoutMs: timeoutSeconds * 1000 + MARGIN_MS,
    });
    for await (const { type, object } of events) {
      this.#fruitless = 0;
      this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
      if (type === "BOOKMARK") continue;
      if (this.#see(type === "DELETED" ? undefined : object)) return true;
    }
    return false;
  }

  #see(object: T | undefined): boolean {
    this.#seen = true;
    this.#last = object;
    this.#firstUid ??= object?.metadata.uid;
    const another = this.#condition === "delete" && object?.metadata.uid !== this.#firstUid;
    if (another) this.#last = undefined;
    return this.#met(this.#last);
  }

  tooLate(timeoutMs: number): WaitTimeoutError {
    const { kind, plural } = this.#type;
    const what = typeof this.#condition === "function" ? "its condition" : this.#condition;
    const reason = this.#trouble === undefined ? "" : errorText(this.#trouble);
    const trouble = reason && `; last error: ${reason}`;
    const unread = `the object could not be read: ${reason || "the server has not answered"}`;
    const missing = this.#seen ? `the object does not exist${trouble}` : unread;
    return new WaitTimeoutError(
      `Cannot wait longer for ${kind || plural} ${JSON.stringify(this.#key)} to meet ${what}: ` +
        `not within ${timeoutMs} ms; ` +
        (this.#last
          ? `it is there, at version ${this.#last.metadata.resourceVersion ?? "?"}${trouble}`
          : missing),
      this.#last,
      this.#trouble === undefined ? {} : { cause: this.#trouble },
    );
  }
}

/** Reports whether an error of a wait's list or watch may be temporary. */
function passes(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.mayPass;
  if (error instanceof StreamBrokenError || error instanceof IdleTimeoutError) return true;
  if (isTooManyRequests(error) || isTimeout(error)) return true;
  return error instanceof ApiError && error.code >= 500;
}
