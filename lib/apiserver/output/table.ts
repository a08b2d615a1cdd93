// Mirrors `printers/tablegenerator.go, HumanReadableGenerator.GenerateTable` and
// `endpoints/handlers/response.go, asTable`.
import { COLUMN_FACTS } from "../facts/columns.ts";
import { runAll } from "@xca/apimachinery/internal/base";
import { badRequest } from "@xca/apimachinery/internal/errors";
import {
  type ApiObject,
  formatGroupKind,
  type JsonObject,
} from "@xca/apimachinery/internal/values";
import type { ApiResource, PrinterColumn } from "../machinery/resource.ts";
import type { ColumnFact } from "../types/fact_shapes.ts";
import { BUILTIN_CELLS } from "./columns/columns.ts";
import { podRowConditions } from "./columns/pod.ts";
import { type CustomColumns, customColumns } from "./custom_columns.ts";
import { ageOf } from "./human_duration.ts";

/** The part of an object that its table row includes. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Options of {@linkcode toTable}, which prints objects as a `Table`. */
export interface TableOptions {
  /**
   * The API version of the `Table`: `meta.k8s.io/v1` or `meta.k8s.io/v1beta1`.
   *
   * @default {"meta.k8s.io/v1"}
   */
  readonly apiVersion?: string;
  /** The part of each object that its `Table` row includes. @default {"Metadata"} */
  readonly includeObject?: IncludeObject;
  /**
   * Sets whether the `Table` has column definitions; in a watch, only the first event has them.
   *
   * @default {true}
   */
  readonly headers?: boolean;
  /** The metadata of the list or the object that the `Table` shows. @default {empty} */
  readonly metadata?: JsonObject;
  /** The time at which the ages in the `Table` are computed. */
  readonly now: Date;
  /**
   * Sets whether the objects in the `Table` are Scales of the resource, instead of its own objects.
   *
   * @default {false}
   */
  readonly scales?: boolean;
  /**
   * The name of the object, a StorageClass, that the `Table` marks as the default; `undefined` for
   * none.
   */
  readonly defaultName?: string | undefined;
}

/**
 * Returns the value of the query parameter `includeObject` of a request for a table, `Metadata` if
 * the parameter is absent or empty.
 *
 * @throws {StatusError} 400 if it is invalid.
 */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "";
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  const quoted = JSON.stringify(value);
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  );
}

/** Returns objects of one resource as a `Table`, in their order. */
export function toTable(
  objects: readonly ApiObject[],
  resource: ApiResource,
  options: TableOptions,
): JsonObject {
  return runAll(toTableInSteps(objects, resource, options));
}

/**
 * Prints objects of one resource as a `Table`, in their order, in steps, between which other work
 * may run.
 */
export function* toTableInSteps(
  objects: readonly ApiObject[],
  resource: ApiResource,
  options: TableOptions,
): Generator<void, JsonObject> {
  const { apiVersion = "meta.k8s.io/v1", includeObject = "Metadata", now } = options;
  const { scales = false } = options;
  const columns = scales ? scaleColumnsOf(resource) : columnsOf(resource);
  const rows: unknown[] = [];
  for (const object of objects) {
    const conditions = !scales && resource.group === "" && resource.kind === "Pod"
      ? podRowConditions(object)
      : undefined;
    // The row of a bookmark has no name.
    const made = columns.cells(object, now);
    const [name = "", ...cells] = Array.isArray(made) ? made : yield* made;
    const mark = name !== "" && name === options.defaultName ? " (default)" : "";
    rows.push({
      cells: [name + mark, ...cells],
      ...(conditions && { conditions }),
      object: included(object, scales ? undefined : resource, includeObject, apiVersion),
    });
  }
  return {
    kind: "Table",
    apiVersion,
    metadata: options.metadata ?? {},
    columnDefinitions: options.headers === false ? null : columns.definitions,
    rows: rows as JsonObject[],
  };
}

function included(
  object: ApiObject,
  resource: ApiResource | undefined,
  what: IncludeObject,
  apiVersion: string,
): unknown {
  if (what === "Object") return object;
  if (what === "None") return null;
  const printed = resource ? printedForm(object, resource) : object;
  const metadata = withoutFormNotes(printed.metadata);
  return { kind: "PartialObjectMetadata", apiVersion, metadata };
}

/** The key of the DaemonSet annotation that only one API version shows. */
const GENERATION_NOTE = "deprecated.daemonset.template.generation";

/**
 * Returns the object metadata of a table row, without annotations that only one version of the
 * object has.
 */
function withoutFormNotes(metadata: ApiObject["metadata"]): ApiObject["metadata"] {
  if (metadata.annotations?.[GENERATION_NOTE] === undefined) return metadata;
  const { annotations: { [GENERATION_NOTE]: _, ...others }, ...rest } = metadata;
  return Object.keys(others).length === 0 ? rest : { ...rest, annotations: others };
}

/**
 * The table columns of a resource, and the function that returns the cells of an object, in steps
 * where that may take long.
 */
interface Columns {
  readonly definitions: JsonObject[];
  cells(object: ApiObject, now: Date): unknown[] | Generator<void, unknown[]>;
}

/** The text of an absent creation time in a table cell: Go's zero time. */
const ZERO_TIME = "0001-01-01T00:00:00Z";

const NAME: ColumnFact = ["Name", "string", "name"];
const DEFAULT_FACTS: readonly ColumnFact[] = [NAME, ["Created At", "date"]];

let parsedFacts: Readonly<Record<string, readonly ColumnFact[]>> | undefined;

function columnFacts(): Readonly<Record<string, readonly ColumnFact[]>> {
  return parsedFacts ??= JSON.parse(COLUMN_FACTS);
}

/** The parsed printer columns of custom resources, by entry of the resource table. */
const parsedCustom = new WeakMap<ApiResource, CustomColumns>();

function columnsOf(resource: ApiResource): Columns {
  if (resource.customResourceDefinition !== undefined) return customColumnsOf(resource);
  const facts = columnFacts()[`${resource.group}/${resource.plural}`];
  const cells = BUILTIN_CELLS[formatGroupKind(formKind(resource))];
  if (!facts || !cells) {
    return {
      definitions: DEFAULT_FACTS.map(definition),
      cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? ZERO_TIME],
    };
  }
  return {
    definitions: facts.map(definition),
    cells: (object, now) => cells(printedForm(object, resource), (time) => ageOf(time, now)),
  };
}

/** The table columns, after the name, of the Scales of custom resources. */
const SCALE_COLUMNS: readonly PrinterColumn[] = [
  { name: "Desired", type: "integer", jsonPath: ".spec.replicas" },
  { name: "Available", type: "integer", jsonPath: ".status.replicas" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];
const SCALE_FACTS: readonly ColumnFact[] = [
  ["Name", "string"],
  ["Desired", "integer"],
  ["Available", "integer"],
  ["Age", "string"],
];

function scaleColumnsOf({ customResourceDefinition }: ApiResource): Columns {
  if (customResourceDefinition !== undefined) return namedColumns(customColumns(SCALE_COLUMNS));
  return {
    definitions: SCALE_FACTS.map(definition),
    cells: (object, now) => {
      const { metadata, spec, status } = object as unknown as {
        readonly metadata: ApiObject["metadata"];
        readonly spec?: { readonly replicas?: number };
        readonly status?: { readonly replicas?: number };
      };
      const age = ageOf(metadata.creationTimestamp, now);
      return [metadata.name, spec?.replicas ?? 0, status?.replicas ?? 0, age];
    },
  };
}

function customColumnsOf(resource: ApiResource): Columns {
  let custom = parsedCustom.get(resource);
  if (!custom) parsedCustom.set(resource, custom = customColumns(resource.printerColumns));
  return namedColumns(custom);
}

function namedColumns(custom: CustomColumns): Columns {
  const definitions = custom.columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? "",
    description: column.description ||
      `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
  }));
  return {
    definitions: [definition(NAME), ...definitions],
    *cells(object, now) {
      return [object.metadata.name, ...yield* custom.cells(object, now)];
    },
  };
}

function definition([name, type, format = "", priority = 0]: ColumnFact): JsonObject {
  return { name, type, format, description: "", priority };
}

/** Returns the kind that decides the table columns: Events of both groups have the same columns. */
function formKind({ group, kind }: ApiResource): { group: string; kind: string } {
  return kind === "Event" && group === "events.k8s.io" ? { group: "", kind } : { group, kind };
}

/**
 * Returns an object in the version that its table columns read: its storage version. Returns a
 * custom object unchanged.
 */
function printedForm(object: ApiObject, resource: ApiResource): ApiObject {
  const { strategy, storageVersion, version, convert, customResourceDefinition } = resource;
  if (strategy.storedAs) return strategy.storedAs.toStored(structuredClone(object));
  if (version === storageVersion || !convert || customResourceDefinition) return object;
  const [converted] = convert([structuredClone(object)], storageVersion) as readonly ApiObject[];
  return converted!;
}
