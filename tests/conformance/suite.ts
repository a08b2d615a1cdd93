/**
 * One case, two servers. {@linkcode conformance} runs a case on the embedded server and on
 * kube-apiserver, and holds what each answered (codes, bodies, warnings, watch events, normalised)
 * against the record of the case, which was taken from kube-apiserver:
 *
 * ```sh
 * XCA_UPDATE=1 deno test -A tests/conformance    # takes the records anew, from kube-apiserver
 * ```
 *
 * So a case is what it calls, and its assertions say what it is about. With
 * `XCA_CONFORMANCE_KUBECONFIG` the real server is one that runs already.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { realIsHere, realTest, type Sanitizers } from "../real/suite.ts";
import { type Exchange, normalise } from "./normalise.ts";
import { assertAsRecorded, readRecords, writeRecords } from "./records.ts";
import { Servers, type SuiteOptions } from "./servers.ts";
import { type Send, Target } from "./target.ts";

/** A suite of cases; one per file. */
export interface ConformanceSuite {
  /** Adds a case: two tests, one per server. */
  (name: string, run: (target: Target) => Promise<void>): void;
}

/** The number of cases that run concurrently on kube-apiserver. */
const SIDE_BY_SIDE = 8;
const allOfThem = Deno.env.get("XCA_REQUIRE_CONTROL_PLANE") === "1";
const update = Deno.env.get("XCA_UPDATE") === "1";

/**
 * Creates the suite of a test file; `url` is the file's `import.meta.url`. The records are in
 * `records/<file>.json`.
 */
export function conformanceSuite(url: string, options: SuiteOptions = {}): ConformanceSuite {
  const file = basename(new URL(url).pathname).replace(/_test\.ts$/, "");
  const recordsPath = new URL(`./records/${file}.json`, import.meta.url);
  const records = readRecords(recordsPath);
  const servers = new Servers(options);
  const onReal = new CasesOnReal(servers);
  let updated = false;
  // Controllers of a server that outlives a case try again later, in whichever test, what they could not do.
  const sanitizers: Sanitizers = options.controllers || options.keepsServers
    ? { sanitizeOps: false, sanitizeResources: false }
    : {};

  Deno.test.beforeAll(async () => {
    await servers.start();
    if (realIsHere && allOfThem && !options.oneByOne) await onReal.runAll();
  });
  Deno.test.afterAll(async () => {
    await servers[Symbol.asyncDispose]();
    if (updated) writeRecords(recordsPath, records);
  });

  return (name, run) => {
    onReal.add(name, run);
    realTest(`conformance of kube-apiserver: ${name}`, async () => {
      if (!update && onReal.sawBesideOthers(name, records[name])) return;
      const seen = await onReal.run(name);
      if (update) {
        records[name] = seen;
        updated = true;
      }
      assertAsRecorded(name, seen, records[name]);
    }, sanitizers);
    Deno.test({
      ...sanitizers,
      name: `conformance: ${name}`,
      fn: async () => {
        const seen = await runCase("embedded", await servers.embedded(), run);
        await lastTurns();
        assertAsRecorded(name, seen, records[name]);
      },
    });
  };
}

/**
 * Lets the server's work for clients that have gone away end: on a busy machine it may wait for its next
 * slice, by a timer of 0 ms that would count as left behind.
 */
async function lastTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * The cases of a suite on kube-apiserver. Where all of them are to be run they are, side by side, before
 * the first test: most of their time is waiting until that server has heard of a definition, a webhook
 * or a role, and each has a namespace and names of its own. A case that then differs from its record is
 * run again alone, which is how records are taken, and that alone counts: beside others a busy machine
 * may keep kube-apiserver from telling a watch of a change before the watch ends.
 */
class CasesOnReal {
  readonly #servers: Servers;
  readonly #cases = new Map<string, (target: Target) => Promise<void>>();
  readonly #besideOthers = new Map<string, PromiseSettledResult<Exchange[]>>();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  add(name: string, run: (target: Target) => Promise<void>): void {
    this.#cases.set(name, run);
  }

  async runAll(): Promise<void> {
    const names = [...this.#cases.keys()];
    const worker = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const [outcome] = await Promise.allSettled([this.run(name)]);
        this.#besideOthers.set(name, outcome);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  }

  /**
   * Reports whether the case was run beside others, and saw there what is recorded; says so when it
   * did not.
   */
  sawBesideOthers(name: string, recorded: readonly Exchange[] | undefined): boolean {
    const outcome = this.#besideOthers.get(name);
    if (!outcome) return false;
    try {
      if (outcome.status === "rejected") throw outcome.reason;
      assertAsRecorded(name, outcome.value, recorded);
      return true;
    } catch (error) {
      // deno-lint-ignore no-console -- what happened beside others is not to be lost.
      console.warn(`${name}: differed beside other cases, and is run again alone\n`, error);
      return false;
    }
  }

  /**
   * Runs the case and returns its exchanges.
   *
   * @throws {unknown} The error of the case.
   */
  async run(name: string): Promise<Exchange[]> {
    return await runCase("kube-apiserver", await this.#servers.real(), this.#cases.get(name)!);
  }
}

async function runCase(
  server: Target["server"],
  send: Send,
  run: (target: Target) => Promise<void>,
): Promise<Exchange[]> {
  const target = new Target(server, send, crypto.randomUUID().slice(0, 8));
  const namespace = { metadata: { name: target.namespace } };
  const created = await target.post("/api/v1/namespaces", namespace, { unrecorded: true });
  assert.equal(created.code, 201, JSON.stringify(created.body));
  await run(target);
  return normalise(target.exchanges, target);
}
