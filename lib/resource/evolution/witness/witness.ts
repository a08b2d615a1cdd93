import { seededRandom } from "@xca/apimachinery/base";
import { SCHEMA_CODE } from "@xca/apimachinery/internal/schema";
import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
} from "@xca/apimachinery/kubernetes-types";
import type { CrdChange } from "../change.ts";
import { schemaOf } from "../compare/versions.ts";
import { type CustomObject, ObjectJudge } from "./object_verdict.ts";
import { ITEMS, VALUES } from "../compare/position.ts";
import { Sampler, stepsOf } from "./sample_object.ts";

/** The largest number of random objects that the search tries for each breaking change. */
const TRIES = 200;

/**
 * Returns the changes of a definition, the breaking changes of its schemas with an example
 * (witness) if one is found: an object that is valid by the old schema, and that the new schema
 * refuses or drops a field of. A change without an example may be breaking nevertheless: the tried
 * objects are random, and the same on each call. Losses by conversions get no example.
 *
 * The code of the API server's validation, CEL included, is loaded at the first use.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { diffCrd, withWitnesses } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 *
 * const [old] = structuredClone(xcaOperator.crds) as V1CustomResourceDefinition[];
 * const now = structuredClone(old!);
 * delete now.spec.versions[0]!.schema!.openAPIV3Schema!.properties!.spec!.properties!.foo;
 * const [change] = await withWitnesses(diffCrd(old!, now), old!, now);
 * assert.equal(change!.path, ".spec.foo");
 * assert(change!.witness);
 * ```
 */
export async function withWitnesses(
  changes: readonly CrdChange[],
  old: V1CustomResourceDefinition,
  now: V1CustomResourceDefinition,
): Promise<readonly CrdChange[]> {
  const code = await SCHEMA_CODE.get();
  const judges = new Map<V1CustomResourceDefinitionVersion, ObjectJudge>();
  const judgeOf = (version: V1CustomResourceDefinitionVersion): ObjectJudge => {
    const known = judges.get(version) ?? new ObjectJudge(code, schemaOf(version));
    judges.set(version, known);
    return known;
  };
  return changes.map((change): CrdChange => {
    if (change.level !== "breaking" || !change.path.startsWith(".")) return change;
    const [before, after] = [old, now].map(({ spec }) =>
      spec.versions.find(({ name }) => name === change.version)
    );
    if (before === undefined || after === undefined) return change;
    const isOnly = changes.every((each) =>
      each === change || each.version !== change.version || each.level !== "breaking"
    );
    const fits = isOnly ? () => true : matcherOf(change.path);
    const witness = find(change, old, before, after, judgeOf, fits);
    return witness === undefined ? change : { ...change, witness };
  });
}

function find(
  { path, rule }: CrdChange,
  { spec }: V1CustomResourceDefinition,
  before: V1CustomResourceDefinitionVersion,
  after: V1CustomResourceDefinitionVersion,
  judgeOf: (version: V1CustomResourceDefinitionVersion) => ObjectJudge,
  fits: (path: string) => boolean,
): CustomObject | undefined {
  if (rule === "conversion-loss") return undefined;
  const sampler = new Sampler(seededRandom(1));
  const [old, now] = [judgeOf(before), judgeOf(after)];
  for (let count = 0; count < TRIES; count++) {
    const fields = sampler.value(schemaOf(before), schemaOf(after), stepsOf(path)) as CustomObject;
    const object = {
      ...fields,
      apiVersion: `${spec.group}/${before.name}`,
      kind: spec.names.kind,
      metadata: { name: "example" },
    };
    const verdict = old.judge(object);
    if (verdict.errors.length > 0 || verdict.dropped.length > 0) continue;
    if (isHarmed(object, verdict.stored, now) && harmedPaths(object, now).some(fits)) return object;
  }
  return undefined;
}

/**
 * Reports whether a new schema refuses an object that was valid, as it was created or as it is
 * stored, or drops or changes one of its fields.
 */
export function isHarmed(object: CustomObject, stored: CustomObject, now: ObjectJudge): boolean {
  const [created, read] = [now.judge(object), now.judge(stored)];
  return created.errors.length + read.errors.length > 0 ||
    created.dropped.length + read.dropped.length > 0 || !contains(read.stored, stored);
}

/**
 * Returns the paths of the fields that a new schema refuses or drops in an object, preceded by the
 * empty path of the object itself.
 */
function harmedPaths(object: CustomObject, now: ObjectJudge): readonly string[] {
  const { errors, dropped } = now.judge(object);
  return ["", ...dropped, ...errors.map((error) => error.split(": ")[0]!)];
}

/**
 * Returns a function that reports whether the path of a refused or dropped field, without a dot at
 * its beginning, equals the path of a change or lies below it.
 */
function matcherOf(path: string): (path: string) => boolean {
  const parts = stepsOf(path).map((step) => {
    if (step === ITEMS) return "\\[[^\\]]+\\]";
    if (step === VALUES) return "(\\.[^.[]+|\\[[^\\]]+\\])";
    return `\\.${step.replace(/[^\w]/g, "\\$&")}`;
  });
  const pattern = new RegExp(`^${parts.join("")}($|[.[])`);
  return (each) => pattern.test(`.${each}`);
}

/**
 * Reports whether a value has each field of another value, with equal values; lists must have the
 * same length.
 */
function contains(value: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return value === part;
  if (Array.isArray(part)) {
    return Array.isArray(value) && value.length === part.length &&
      part.every((each, index) => contains(value[index], each));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(part).every(([name, field]) =>
    Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], field)
  );
}
