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
import { realIsHere, realTest } from "../real/suite.ts";
import { type Exchange, normalise } from "./normalise.ts";
import { assertAsRecorded, readRecords, writeRecords } from "./records.ts";
import { Servers, type SuiteOptions } from "./servers.ts";
import { type Send, Target } from "./target.ts";

/** A suite of cases; one per file. */
export interface ConformanceSuite {
  /** Adds a case: two tests, one per server. */
  (name: string, run: (target: Target) => Promise<void>): void;
}

/** How many cases run at once on kube-apiserver. */
const SIDE_BY_SIDE = 8;
const allOfThem = Deno.env.get("XCA_REQUIRE_CONTROL_PLANE") === "1";
const update = Deno.env.get("XCA_UPDATE") === "1";

/**
 * Makes the suite of one file; `url` is its `import.meta.url`. The records lie in
 * `records/<file>.json`.
 */
export function conformanceSuite(url: string, options: SuiteOptions = {}): ConformanceSuite {
  const file = basename(new URL(url).pathname).replace(/_test\.ts$/, "");
  const recordsPath = new URL(`./records/${file}.json`, import.meta.url);
  const records = readRecords(recordsPath);
  const servers = new Servers(options);
  const onReal = new CasesOnReal(servers);
  let updated = false;

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
      const seen = await onReal.outcome(name);
      if (update) {
        records[name] = seen;
        updated = true;
      }
      assertAsRecorded(name, seen, records[name]);
    });
    Deno.test({
      name: `conformance: ${name}`,
      // Controllers of a server that outlives the case try again later what they could not do.
      ...(options.controllers && { sanitizeOps: false, sanitizeResources: false }),
      fn: async () => {
        const seen = await runCase("embedded", await servers.embedded(), run);
        assertAsRecorded(name, seen, records[name]);
      },
    });
  };
}

/**
 * The cases of a suite on kube-apiserver. Where all of them are to be run they are, side by side, before
 * the first test: most of their time is waiting until that server has heard of a definition, a webhook
 * or a role, and each has a namespace and names of its own.
 */
class CasesOnReal {
  readonly #servers: Servers;
  readonly #cases = new Map<string, (target: Target) => Promise<void>>();
  readonly #outcomes = new Map<string, PromiseSettledResult<Exchange[]>>();

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
        const [outcome] = await Promise.allSettled([this.#run(name)]);
        this.#outcomes.set(name, outcome);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  }

  /** What the case saw. @throws {unknown} What it threw. */
  async outcome(name: string): Promise<Exchange[]> {
    const outcome = this.#outcomes.get(name);
    if (!outcome) return await this.#run(name);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async #run(name: string): Promise<Exchange[]> {
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
