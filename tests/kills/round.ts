import { SeenStates, type Witness } from "./seen_states.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
/** The number of steps after which a key is deleted; the next step creates it again. */
const STEPS_PER_LIFE = 5;

/** The way to the server. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

interface Item {
  readonly metadata: { readonly name: string };
  readonly data: { readonly step: string };
}

/** Reports whether a step deletes the object. */
function deletes(step: number): boolean {
  return step % STEPS_PER_LIFE === 0;
}

/** Writers and witnesses of one run of the server, from its start until it is killed. */
export class Round {
  /** Number of writes that the server confirmed. */
  writes = 0;
  readonly #fetch: Fetch;
  readonly #seen: SeenStates;
  /** The step of each key that was tried last. */
  readonly #steps: Map<string, number>;
  readonly #stop = new AbortController();
  readonly #workers: Promise<void>[] = [];

  constructor(fetch: Fetch, seen: SeenStates, steps: Map<string, number>) {
    this.#fetch = fetch;
    this.#seen = seen;
    this.#steps = steps;
  }

  /** Starts a writer for each key, and a number of watchers and readers. */
  start(witnesses: number): void {
    for (const key of this.#steps.keys()) this.#work(() => this.#write(key));
    for (let index = 0; index < witnesses; index++) {
      this.#work(() => this.#watch());
      this.#work(() => this.#list());
      this.#work(() => this.#get(index));
    }
  }

  /** The server is about to be killed: what fails from now on counts for nothing. */
  killing(): void {
    this.#stop.abort();
  }

  /** Settles when everybody has noticed the kill. */
  async ended(): Promise<void> {
    await Promise.all(this.#workers);
  }

  /** Repeats some work until the kill. */
  #work(run: () => Promise<void>): void {
    this.#workers.push((async () => {
      const { signal } = this.#stop;
      while (!signal.aborted) {
        try {
          await run();
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    })());
  }

  async #write(key: string): Promise<void> {
    const step = this.#steps.get(key)! + 1;
    this.#steps.set(key, step);
    const method = deletes(step) ? "DELETE" : deletes(step - 1) ? "POST" : "PUT";
    const body = { metadata: { name: key }, data: { step: String(step) } };
    const answer = await this.#fetch(method === "POST" ? CONFIG_MAPS : `${CONFIG_MAPS}/${key}`, {
      method,
      ...(method !== "DELETE" && {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Cannot ${method} ${key} (step ${step}): ${text}`);
    this.writes++;
    this.#seen.note(key, step, "answer");
  }

  async #list(): Promise<void> {
    const { items } = await (await this.#fetch(CONFIG_MAPS)).json();
    for (const item of items) this.#note(item, "list");
  }

  async #get(index: number): Promise<void> {
    const keys = [...this.#steps.keys()];
    const answer = await this.#fetch(`${CONFIG_MAPS}/${keys[index % keys.length]}`);
    const object = await answer.json();
    if (answer.ok) this.#note(object, "get");
  }

  async #watch(): Promise<void> {
    const { body } = await this.#fetch(`${CONFIG_MAPS}?watch=1`);
    let rest = "";
    for await (const text of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        this.#note(object, "watch", type === "DELETED" ? 1 : 0);
      }
    }
  }

  /** `later`: what is shown of a deletion is the state before it. */
  #note({ metadata, data }: Item, witness: Witness, later = 0): void {
    this.#seen.note(metadata.name, Number(data?.step) + later, witness);
  }
}

/**
 * The step that each key is at, by what the server has. A key that is absent is at the last deletion
 * that was tried.
 */
export async function currentSteps(
  fetch: Fetch,
  tried: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const { items } = await (await fetch(CONFIG_MAPS)).json() as { items: Item[] };
  const present = new Map(items.map(({ metadata, data }) => [metadata.name, Number(data?.step)]));
  return new Map([...tried].map(([key, last]) => {
    const absent = last - last % STEPS_PER_LIFE;
    return [key, present.get(key) ?? absent];
  }));
}
