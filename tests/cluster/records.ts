/**
 * The records of scenarios that were played under kube-controller-manager, one file of YAML by area.
 *
 * @module
 */
import { join } from "node:path";
import { dump, load } from "js-yaml";
import type { Played } from "./play.ts";

/** The outcomes of an area's scenarios under kube-controller-manager, by their names. */
export type Records = Readonly<Record<string, Played>>;

const FOLDER = join(import.meta.dirname!, "records");

/** Reads the records of an area: none when there is no file of them. */
export async function readRecords(area: string): Promise<Records> {
  try {
    return load(await Deno.readTextFile(fileOf(area))) as Records;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/** Writes the records of an area, sorted by the names of the scenarios. */
export async function writeRecords(area: string, records: Records): Promise<void> {
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeTextFile(
    fileOf(area),
    "# Written by `deno task cluster:record`: do not edit.\n" +
      dump(records, { sortKeys: true, flowLevel: 4, lineWidth: 140, noRefs: true }),
  );
}

function fileOf(area: string): string {
  return join(FOLDER, `${area}.yaml`);
}
