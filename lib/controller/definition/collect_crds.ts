import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { ResourceType, UnstructuredObject } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "./controller_definition.ts";

/** A resource type, with its CustomResourceDefinition if `defineResource` made it. */
interface TypeWithCrd extends ResourceType {
  readonly crd?: UnstructuredObject;
}

/**
 * Returns the CustomResourceDefinitions of an operator, each once: the given ones, then those of
 * the resources that its controllers are for. Resources that a controller owns or watches are left
 * out, since another operator may have defined them.
 *
 * @throws {TypeError} When two definitions with one name differ in content.
 */
export function collectCrds(
  operator: string,
  crds: readonly UnstructuredObject[],
  controllers: readonly ControllerDefinition[],
): UnstructuredObject[] {
  const found = new Map<string, UnstructuredObject>();
  const defined = controllers.flatMap(({ type }) => (type as TypeWithCrd).crd ?? []);
  for (const crd of [...crds, ...defined]) {
    const name = crd.metadata.name!;
    const known = found.get(name);
    if (known === undefined) found.set(name, crd);
    else if (known !== crd && !jsonEqual(known, crd)) {
      throw new TypeError(
        `Cannot define operator ${operator}: two different definitions are named ${name}; ` +
          "leave those of resources made by defineResource out of crds",
      );
    }
  }
  return [...found.values()];
}
