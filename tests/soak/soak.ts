/**
 * A long run: informers, handlers and the Xca operator on a real control plane, with writes without
 * end and faults at random. Now and then everything is mended, and then all must be right: each cache
 * equals a fresh LIST, every Xca is active, no key was reconciled twice at once; and memory is flat.
 *
 * ```sh
 * deno task soak # an hour
 * deno task soak --minutes=5 --seed=42
 * ```
 *
 * A round's writes and faults follow from the seed alone; how fast the real server is does not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { errorText } from "../../lib/apimachinery/base/errors/error_text.ts";
import {
  type Random,
  seededRandom,
  systemRandom,
} from "../../lib/apimachinery/base/time/random.ts";
import type { Client } from "../../lib/client/typed/client.ts";
import { createClient } from "../../lib/client/create_client.ts";
import { CustomResourceDefinition, Namespace } from "../../lib/apimachinery/meta/builtin.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { FaultProxy } from "../../lib/testing/faults/fault_proxy.ts";
import { Xca } from "../../lib/xca/xca.ts";
import { xcaCrd } from "../../lib/xca/xca_crd.ts";
import { until } from "../support/until.ts";
import { FaultInjector } from "./fault_injector.ts";
import {
  formatSlope,
  type MemorySample,
  memoryTrend,
  memoryVerdict,
  sampleMemory,
} from "./memory.ts";
import { planRound } from "./plan.ts";
import { checkQuiet, SoakViolation } from "./quiet.ts";
import { Subject } from "./subject.ts";
import { Writer } from "./writer.ts";

const NAMESPACE = "soak";

/** A round takes seconds; one that takes this long, in milliseconds, hangs. */
const STUCK_MS = 10 * 60_000;

/** Options for {@linkcode Soak.run}. */
export interface SoakOptions {
  /** The seed of the run. */
  readonly seed: number;
  /** Reports whether there is another round. */
  readonly goesOn: () => boolean;
  /** Sets whether to sample memory; needs `--expose-gc`. @default {true} */
  readonly memory?: boolean;
  /** Called with each line of output. */
  readonly print: (line: string) => void;
}

/** One run, from the start of the control plane to its end. */
export class Soak {
  readonly #options: SoakOptions;
  readonly #random: Random;
  readonly #samples: MemorySample[] = [];
  readonly #beganMs: number = systemClock.monotonicMs();
  #round = 0;
  #injector: FaultInjector | undefined;
  #subject: Subject | undefined;
  #writer: Writer | undefined;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  /** The faults of the last round as they happened. */
  get schedule(): readonly string[] {
    return this.#injector?.schedule ?? [];
  }

  /**
   * Runs rounds for the given time, at least one.
   *
   * @throws {SoakViolation} When an invariant does not hold at the end of a round, or memory grows.
   */
  async run(): Promise<void> {
    const { seed, goesOn, memory = true } = this.#options;
    await using plane = await ControlPlane.start();
    await using proxy = FaultProxy.start({ target: plane.url });
    using direct = createClient({ ...plane.config, requestTimeoutMs: 60_000 });
    await prepare(direct);
    const through = { ...plane.config, server: proxy.urlOf(plane.url) };
    await using subject = new Subject(through, NAMESPACE, seed);
    this.#subject = subject;
    this.#injector = new FaultInjector(plane, proxy, subject);
    this.#writer = new Writer(direct, NAMESPACE);
    await subject.whenSynced();
    do {
      using _stuck = systemClock.after(STUCK_MS, () => this.#giveUp());
      await this.#runRound(this.#injector, this.#writer);
      await checkQuiet(subject, direct, NAMESPACE);
      await subject.removeLateHandlers();
      if (memory) this.#samples.push(await sampleMemory(this.#minutes()));
      this.#options.print(this.#progress());
    } while (goesOn());
    this.#judgeMemory();
  }

  async #runRound(injector: FaultInjector, writer: Writer): Promise<void> {
    this.#round++;
    injector.begin();
    for (const { fault, write, waitMs } of planRound(this.#random)) {
      if (fault) injector.add(fault);
      if (!await writer.write(write)) await injector.idle();
      await delay(waitMs);
    }
    await injector.mend();
  }

  #judgeMemory(): void {
    const trend = memoryTrend(this.#samples);
    if (!trend) return this.#options.print("memory: too few rounds to say anything");
    const { samples, rss, heap, conclusive } = trend;
    this.#options.print(
      `memory over the last ${samples} rounds: ` +
        `heap ${formatSlope(heap)}, resident set ${formatSlope(rss)}` +
        (conclusive ? "" : " (too short a run to judge)"),
    );
    const verdict = memoryVerdict(trend);
    if (verdict !== "") throw new SoakViolation(verdict);
  }

  #minutes(): number {
    return (systemClock.monotonicMs() - this.#beganMs) / 60_000;
  }

  #progress(): string {
    const { calls, runs, configMaps, xcas } = this.#subject!;
    const restarts = configMaps.health.restarts + xcas.health.restarts;
    const lists = [configMaps, xcas]
      .reduce((sum, { health }) => sum + health.lists + health.watchLists, 0);
    const { faults, kills } = this.#injector!;
    const sample = this.#samples.at(-1);
    return `round ${this.#round}, ${this.#minutes().toFixed(1)} min: ` +
      `${this.#writer!.done} writes, ${calls} events, ${runs} runs, ${faults} faults, ` +
      `${kills} kills, ${restarts} watch restarts, ${lists} relists` +
      (sample ? `, heap ${sample.heap.toFixed(1)}, rss ${sample.rss.toFixed(1)} MiB` : "");
  }

  #giveUp(): void {
    this.#options.print(`round ${this.#round} hangs; seed=${this.#options.seed}`);
    this.#options.print(this.schedule.join("\n"));
    Deno.exit(1);
  }
}

/** Creates the namespace and the definition of Xca. */
async function prepare(direct: Client): Promise<void> {
  await direct.create(Namespace, { metadata: { name: NAMESPACE } });
  await direct.create(CustomResourceDefinition, xcaCrd);
  await until(() => direct.list(Xca).then(() => true, () => false), "the server serves Xcas");
}

/** The options of a command line, or what is wrong with it. */
function readOptions(args: string[]): { minutes: number; seed: number } | string {
  try {
    const { values } = parseArgs({
      args,
      options: { minutes: { type: "string", default: "60" }, seed: { type: "string" } },
    });
    const minutes = Number(values.minutes);
    const seed = Number(values.seed ?? Math.floor(systemRandom.next() * 2 ** 32));
    if (!(minutes > 0)) return `--minutes must be a number above 0, is ${values.minutes}`;
    if (!Number.isInteger(seed)) return `--seed must be a whole number, is ${values.seed}`;
    return { minutes, seed };
  } catch (error) {
    return errorText(error);
  }
}

async function main(): Promise<number> {
  // deno-lint-ignore no-console
  const print = (line: string): void => console.log(line);
  const options = readOptions(Deno.args);
  if (typeof options === "string") {
    print(`error: ${options}`);
    return 2;
  }
  const { minutes, seed } = options;
  const endMs = systemClock.monotonicMs() + minutes * 60_000;
  print(`soak of ${minutes} minutes, seed=${seed}`);
  const soak = new Soak({ seed, print, goesOn: () => systemClock.monotonicMs() < endMs });
  const tell = (error: unknown): void => {
    const text = error instanceof SoakViolation ? error.message : Deno.inspect(error);
    print(`VIOLATION: ${text}`);
    print(`seed=${seed}; the faults of the last round:\n${soak.schedule.join("\n")}`);
  };
  globalThis.addEventListener("unhandledrejection", ({ reason }) => {
    tell(reason);
    Deno.exit(1);
  });
  try {
    await soak.run();
    print(`all was right at every quiet point; seed=${seed}`);
    return 0;
  } catch (error) {
    tell(error);
    return 1;
  }
}

if (import.meta.main) Deno.exit(await main());
