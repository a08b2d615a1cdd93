// Mirrors `printers/internalversion/printers.go, AddHandlers`.
import type { CellsByKind } from "../cell_text.ts";
import { AUTOSCALER_CELLS } from "./autoscaler.ts";
import { CORE_CELLS } from "./core.ts";
import { NETWORK_CELLS } from "./network.ts";
import { podCells } from "./pod.ts";
import { POLICY_CELLS } from "./policy.ts";
import { STORAGE_CELLS } from "./storage.ts";
import { WORKLOAD_CELLS } from "./workloads.ts";

/**
 * The functions that return the table cells of all built-in kinds that have columns of their own,
 * by kind.
 */
export const BUILTIN_CELLS: CellsByKind = {
  ...CORE_CELLS,
  Pod: podCells,
  ...WORKLOAD_CELLS,
  ...NETWORK_CELLS,
  ...STORAGE_CELLS,
  ...POLICY_CELLS,
  ...AUTOSCALER_CELLS,
};
