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
import { realTest } from "../real/suite.ts";
import { type Exchange, normalise } from "./normalise.ts";
import { assertAsRecorded, readRecords, writeRecords } from "./records.ts";
import { Servers, type SuiteOptions } from "./servers.ts";
import { type Send, Target } from "./target.ts";

/** A suite of cases; one per file. */
export interface ConformanceSuite {
  /** Adds a case: two tests, one per server. */
  (name: string, run: (target: Target) => Promise<void>): void;
}

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
  let updated = false;

  Deno.test.beforeAll(() => servers.start());
  Deno.test.afterAll(async () => {
    await servers[Symbol.asyncDispose]();
    if (updated) writeRecords(recordsPath, records);
  });

  return (name, run) => {
    realTest(`conformance of kube-apiserver: ${name}`, async () => {
      const seen = await runCase("kube-apiserver", await servers.real(), run);
      if (update) {
        records[name] = seen;
        updated = true;
      }
      assertAsRecorded(name, seen, records[name]);
    });
    Deno.test(`conformance: ${name}`, async () => {
      const seen = await runCase("embedded", await servers.embedded(), run);
      assertAsRecorded(name, seen, records[name]);
    });
  };
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
