/**
 * The records of the cases on kube-apiserver, in `records/`, one file per suite.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Exchange } from "./normalise.ts";

/** By the name of the case. */
export type Records = Record<string, readonly Exchange[]>;

/** @throws {AssertionError} When what was seen is not what is recorded. */
export function assertAsRecorded(
  name: string,
  seen: readonly Exchange[],
  recorded: readonly Exchange[] | undefined,
): void {
  if (!recorded) {
    assert.fail(`No record of ${JSON.stringify(name)}: take it by XCA_UPDATE=1, then look at it`);
  }
  for (const [index, exchange] of seen.entries()) {
    assert.deepEqual(exchange, recorded[index], `${name}: exchange ${index}, ${exchange.request}`);
  }
  assert.equal(seen.length, recorded.length, `${name}: as many exchanges as recorded`);
}

/** The records of a suite; none yet when the file is not there. */
export function readRecords(path: URL): Records {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/** One exchange a line: what changed is seen in a diff. */
export function writeRecords(path: URL, records: Records): void {
  const cases = Object.entries(records).sort(([a], [b]) => a < b ? -1 : 1).map((
    [name, exchanges],
  ) =>
    `${JSON.stringify(name)}: [\n${exchanges.map((each) => JSON.stringify(each)).join(",\n")}\n]`
  );
  Deno.mkdirSync(new URL(".", path), { recursive: true });
  Deno.writeTextFileSync(path, `{\n${cases.join(",\n")}\n}\n`);
}
