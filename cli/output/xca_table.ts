import type { Xca } from "../../lib/xca/mod.ts";
import { xcaType } from "../../lib/xca/xca_type.ts";
import { ageText } from "./age.ts";

/** Options of the printed table of Xca objects. */
export interface XcaTableOptions {
  /** Sets whether the namespace is the first column of the table. */
  readonly namespaces: boolean;
  /** Sets whether the table includes the columns of `-o wide`. */
  readonly wide: boolean;
}

/**
 * Returns the column headers of the Xca table: the namespace if wanted, the name, the printer
 * columns of the CRD and, for `-o wide`, the generation and the UID.
 */
export function xcaHeader({ namespaces, wide }: XcaTableOptions): readonly string[] {
  return [
    ...(namespaces ? ["NAMESPACE"] : []),
    "NAME",
    "FOO",
    "ACTIVE",
    "LAST UPDATE",
    "AGE",
    ...(wide ? ["GENERATION", "UID"] : []),
  ];
}

/**
 * Returns the table cells of one Xca object, in the order of {@linkcode xcaHeader}. An absent value
 * gives an empty cell, an absent creation time the age `<unknown>`.
 */
export function xcaRow(
  xca: Xca,
  { namespaces, wide }: XcaTableOptions,
  now: Date,
): readonly string[] {
  const { metadata, spec, status } = xca;
  const lastUpdate = status?.last_update_time;
  return [
    ...(namespaces ? [metadata.namespace ?? ""] : []),
    metadata.name ?? "",
    spec?.foo ?? "",
    status?.active === undefined ? "" : String(status.active),
    lastUpdate === undefined ? "" : ageText(lastUpdate, now),
    ageText(metadata.creationTimestamp, now),
    ...(wide ? [String(metadata.generation ?? ""), metadata.uid ?? ""] : []),
  ];
}

/**
 * Returns the name of an Xca object as `-o name` prints it, `xca.<group>/<name>`, which kubectl
 * accepts as an argument.
 */
export function xcaName(xca: Xca): string {
  return `${xcaType.kind.toLowerCase()}.${xcaType.group}/${xca.metadata.name}`;
}
