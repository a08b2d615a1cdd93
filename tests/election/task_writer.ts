import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import type { Random } from "../../lib/apimachinery/base/time/random.ts";
import { ConfigMap, Secret } from "../../lib/apimachinery/meta/builtin.ts";
import type { Client } from "../../lib/client/typed/client.ts";
import { mergePatch } from "../../lib/client/typed/patch.ts";

/** The number of tasks that a task writer changes. */
const TASKS = 12;
/** The mean time between two writes of a task writer, in milliseconds. */
const PAUSE_MS = 50;

/** Writer that creates, changes and deletes the operator's tasks, and knows their results. */
export class TaskWriter {
  /** The number of writes of the task writer so far. */
  writes = 0;
  readonly #client: Client;
  readonly #namespace: string;
  readonly #random: Random;
  /** The wanted text of each existing task, by name of the task. */
  readonly #wishes = new Map<string, string>();

  /** Creates a task writer whose client does not use the proxies of the replicas. */
  constructor(client: Client, namespace: string, random: Random) {
    this.#client = client;
    this.#namespace = namespace;
    this.#random = random;
  }

  /** Writes tasks at random until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#write(`task-${Math.floor(this.#random.next() * TASKS)}`);
      await delay(this.#random.next() * 2 * PAUSE_MS, { signal }).catch(() => {});
    }
  }

  /** Returns the differences between stored and wanted tasks; none when the operator works. */
  async differences(): Promise<string[]> {
    const namespace = this.#namespace;
    const [tasks, results] = await Promise.all([
      this.#client.list(ConfigMap, { namespace }),
      this.#client.list(Secret, { namespace }),
    ]);
    const done = new Map(tasks.items.map(({ metadata, data }) => [metadata.name!, data?.done]));
    const got = new Map(results.items.map(({ metadata, data }) => [metadata.name!, data?.got]));
    const lines: string[] = [];
    for (const [name, want] of this.#wishes) {
      if (done.get(name) !== want) {
        lines.push(`${name} is done with ${done.get(name)}, not ${want}`);
      }
      const result = got.get(name);
      if (result !== btoa(want)) {
        lines.push(`the result of ${name} is ${result}, not ${btoa(want)}`);
      }
    }
    for (const name of got.keys()) {
      if (!this.#wishes.has(name)) lines.push(`the result of ${name} is left over`);
    }
    return lines;
  }

  async #write(name: string): Promise<void> {
    const key = `${this.#namespace}/${name}`;
    const want = String(++this.writes);
    if (!this.#wishes.has(name)) {
      const metadata = { namespace: this.#namespace, name };
      await this.#client.create(ConfigMap, { metadata, data: { want } });
    } else if (this.#random.next() < 0.15) {
      await this.#client.delete(ConfigMap, key);
      return void this.#wishes.delete(name);
    } else {
      await this.#client.patch(ConfigMap, key, mergePatch({ data: { want } }));
    }
    this.#wishes.set(name, want);
  }
}
