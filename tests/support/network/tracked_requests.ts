import type { FakeClock } from "../../../lib/testing/fake_clock.ts";
import { until } from "../until.ts";

/** The header by which a server knows the id of a request, for requests that it does not answer. */
export const REQUEST_ID = "x-request-id";

/** The number of looks in a row that must find no request on its way. */
const QUIET_LOOKS = 4;

/** The HTTP requests of an operator that runs on a fake clock, while the requests take real time. */
export class TrackedRequests {
  readonly #clock: FakeClock;
  readonly #held: ReadonlySet<string>;
  readonly #open = new Set<string>();
  readonly #fetch: typeof fetch;
  #next = 0;

  /** Creates a record of requests; `held` are the ids of those that the server does not answer. */
  constructor(clock: FakeClock, held: ReadonlySet<string>) {
    this.#clock = clock;
    this.#held = held;
    this.#fetch = globalThis.fetch;
  }

  /** Sends a request, and returns its response when the whole body has arrived. */
  async send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const id = `${this.#next++}`;
    this.#open.add(id);
    try {
      const headers = { ...init.headers, [REQUEST_ID]: id };
      const response = await this.#fetch(input, { ...init, headers });
      const bytes = await response.bytes();
      const { status } = response;
      return new Response(status === 304 ? null : bytes, { status, headers: response.headers });
    } finally {
      this.#open.delete(id);
    }
  }

  /** Waits until each request is answered, or held by the server. */
  async rest(): Promise<void> {
    const isQuiet = () => [...this.#open].every((id) => this.#held.has(id));
    for (let looks = 0; looks < QUIET_LOOKS; looks++) {
      await this.#clock.settle();
      if (isQuiet()) continue;
      await until(isQuiet, "the requests of the operator have ended, or are held");
      looks = -1;
    }
  }
}
