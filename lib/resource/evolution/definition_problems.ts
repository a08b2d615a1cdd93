import { runAll } from "@xca/apimachinery/internal/base";
import {
  type CustomResourceDefinition,
  definitionErrors,
  SCHEMA_CODE,
} from "@xca/apimachinery/internal/schema";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { storageVersionOf } from "./compare/definitions.ts";

/**
 * Returns the reasons why an API server refuses a new CustomResourceDefinition, each with its
 * field; empty for a valid one. The definition must have all required fields, as `readDefinitions`
 * checks. The code of the API server's validation, CEL included, is loaded at the first call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definitionProblems } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 *
 * const [definition] = structuredClone(xcaOperator.crds) as V1CustomResourceDefinition[];
 * assert.deepEqual(await definitionProblems(definition!), []);
 * definition!.spec.scope = "Planet";
 * assert.match((await definitionProblems(definition!))[0]!, /^spec.scope: Unsupported value/);
 * ```
 */
export async function definitionProblems(
  definition: V1CustomResourceDefinition,
): Promise<readonly string[]> {
  const code = await SCHEMA_CODE.get();
  const complete = withServerDefaults(definition);
  const errors = runAll(definitionErrors(code, complete as unknown as CustomResourceDefinition));
  // Problems of the status are left out: the status was filled in above.
  const own = errors.filter(({ field }) => !field.startsWith("status"));
  return own.map(({ field, body }) => `${field}: ${body}`);
}

/**
 * Returns a CustomResourceDefinition with the defaults and the status that an API server fills in.
 */
function withServerDefaults(definition: V1CustomResourceDefinition): V1CustomResourceDefinition {
  const { spec } = definition;
  const names = {
    singular: spec.names.kind.toLowerCase(),
    listKind: `${spec.names.kind}List`,
    ...spec.names,
  };
  return {
    ...definition,
    spec: { ...spec, names, conversion: spec.conversion ?? { strategy: "None" } },
    status: {
      conditions: [],
      acceptedNames: names,
      storedVersions: [storageVersionOf(definition) ?? ""],
    },
  };
}
