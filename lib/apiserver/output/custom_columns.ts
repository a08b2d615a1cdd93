// Mirrors `customresource/tableconvertor/tableconvertor.go, convertor.ConvertToTable`.
import type { PrinterColumn } from "../machinery/resource.ts";
import { canonicalTime } from "@xca/apimachinery/internal/values";
import { ageOf } from "./human_duration.ts";
import { type JsonPath, parseJsonPath } from "./json_path.ts";

/**
 * The table columns, after the name, of a custom resource whose definition declares none: its age.
 */
const DEFAULT_COLUMNS: readonly PrinterColumn[] = [{
  name: "Age",
  type: "date",
  description: "",
  jsonPath: ".metadata.creationTimestamp",
}];

/**
 * The result of {@linkcode customColumns}: the table columns of a custom resource after its name,
 * and the function that computes their cells.
 */
export interface CustomColumns {
  readonly columns: readonly PrinterColumn[];
  /**
   * Computes the cells of an object in steps, between which other work may run; `null` for a
   * missing value, and for a value that has not the type of its column. A column of type `string`
   * shows any value as text, one of type `integer` truncates numbers, and an unreadable date gives
   * `<invalid>`.
   */
  cells(object: unknown, now: Date): Generator<void, unknown[]>;
}

/**
 * Parses the `additionalPrinterColumns` of a CustomResourceDefinition; without any, the only column
 * is the age. A column with an invalid path and the columns after it are left out.
 */
export function customColumns(defined: readonly PrinterColumn[] | undefined): CustomColumns {
  const columns = defined?.length ? defined : DEFAULT_COLUMNS;
  const paths: JsonPath[] = [];
  for (const { jsonPath } of columns) {
    try {
      paths.push(parseJsonPath(jsonPath));
    } catch {
      break;
    }
  }
  const understood = columns.slice(0, paths.length);
  return {
    columns: understood,
    *cells(object, now) {
      const cells: unknown[] = [];
      for (const [index, { type }] of understood.entries()) {
        const [value] = yield* paths[index]!.findInSteps(object);
        cells.push(cell(type, value, now));
        yield;
      }
      return cells;
    },
  };
}

function cell(type: string, value: unknown, now: Date): unknown {
  if (value === undefined) return null;
  if (type === "string") return value === null ? "<nil>" : text(value);
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? date(value, now) : null;
    default:
      return null;
  }
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function date(value: string, now: Date): string {
  if (value === "") return ageOf(null, now);
  try {
    return ageOf(canonicalTime(value), now);
  } catch {
    return "<invalid>";
  }
}
