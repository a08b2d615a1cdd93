/**
 * The records of scenarios that were played under kube-controller-manager, one file of YAML by area.
 *
 * @module
 */
import { join } from "node:path";
import { dump, load } from "js-yaml";
import type { Played } from "./play.ts";
import type { Order } from "./sequences.ts";

/** The outcome of a scenario under kube-controller-manager. */
export interface Recorded extends Pick<Played, "state" | "visited"> {
  /** The other settled states that runs have had, of a scenario whose end varies. @default {none} */
  readonly others?: readonly Played["state"][];
}

/** The outcomes of an area's scenarios under kube-controller-manager, by their names. */
export type Records = Readonly<Record<string, Recorded>>;

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

/** Reads the orders of the states of an area's scenarios: none when there is no file of them. */
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

/** Writes the orders of the states of an area's scenarios, one that several have only once. */
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

/** An order of the states of one kind, and the scenarios in which it holds. */
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
