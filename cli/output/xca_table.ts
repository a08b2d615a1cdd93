import { Xca } from "../../lib/xca/mod.ts";
import { ageText } from "./age.ts";

/** How the table of Xca objects is laid out. */
export interface XcaTableOptions {
  /** Whether the namespace is the first column. */
  readonly namespaces: boolean;
  /** Whether the columns of `-o wide` follow. */
  readonly wide: boolean;
}

/** The column heads: the printer columns of the CRD, and for `-o wide` the identity. */
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

/** One object's cells. */
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

/** One object as `-o name` prints it: what kubectl takes as a name again. */
export function xcaName(xca: Xca): string {
  return `${Xca.kind.toLowerCase()}.${Xca.group}/${xca.metadata.name}`;
}
