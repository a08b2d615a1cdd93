/**
 * The records of scenarios that were played under kube-controller-manager, in one YAML file per
 * area.
 *
 * @module
 */
import { join } from "node:path";
import { dump, load } from "js-yaml";
import type { Played } from "./play.ts";
import type { Order } from "./sequences.ts";

/** The recorded result of a scenario under kube-controller-manager. */
export interface Recorded extends Pick<Played, "state" | "visited"> {
  /** The further settled states that other runs of a varying scenario had. @default {none} */
  readonly others?: readonly Played["state"][];
}

/** The recorded results of an area's scenarios under kube-controller-manager, by scenario name. */
export type Records = Readonly<Record<string, Recorded>>;

const FOLDER = join(import.meta.dirname!, "records");

/** Reads the records of an area; returns no records when the area has no file. */
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

/**
 * Reads the recorded state orders of an area's scenarios; returns none when the area has no file.
 */
export async function readOrders(area: string): Promise<Record<string, Order>> {
  try {
    const groups = load(await Deno.readTextFile(orderFileOf(area))) as readonly OrderGroup[];
    const orders: Record<string, Record<string, readonly string[]>> = {};
    for (const { kind, chains, scenarios } of groups) {
      for (const name of scenarios) (orders[name] ??= {})[kind] = chains;
    }
    return orders;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

/**
 * Writes the state orders of an area's scenarios. An order that several scenarios share is written
 * once.
 */
export async function writeOrders(
  area: string,
  orders: Readonly<Record<string, Order>>,
): Promise<void> {
  const all = Object.keys(orders).sort().flatMap((scenario) =>
    Object.entries(orders[scenario]!).map(([kind, chains]) => ({ scenario, kind, chains }))
  );
  const groups = Map.groupBy(all, ({ kind, chains }) => JSON.stringify([kind, chains]));
  const list = [...groups.values()].map((group): OrderGroup => ({
    kind: group[0]!.kind,
    chains: group[0]!.chains,
    scenarios: group.map(({ scenario }) => scenario),
  }));
  await Deno.mkdir(join(FOLDER, "order"), { recursive: true });
  await Deno.writeTextFile(
    orderFileOf(area),
    "# Written by `deno task cluster:order`: do not edit.\n" +
      dump(list, { sortKeys: true, lineWidth: 140, noRefs: true }),
  );
}

/** Reads the recorded sources of events, as `Kind Reason: component`. */
export async function readEventSources(): Promise<ReadonlySet<string>> {
  return new Set(load(await Deno.readTextFile(fileOf(EVENT_SOURCES))) as readonly string[]);
}

/** Writes the sources of events. */
export async function writeEventSources(sources: Iterable<string>): Promise<void> {
  await Deno.writeTextFile(
    fileOf(EVENT_SOURCES),
    "# Written by `deno task cluster:sources`: do not edit.\n" + dump([...sources].sort()),
  );
}

const EVENT_SOURCES = "event_sources";

/** An order of the states of one kind, and the names of the scenarios in which it holds. */
interface OrderGroup {
  readonly kind: string;
  readonly chains: readonly string[];
  readonly scenarios: readonly string[];
}

function orderFileOf(area: string): string {
  return join(FOLDER, "order", `${area}.yaml`);
}

function fileOf(area: string): string {
  return join(FOLDER, `${area}.yaml`);
}
