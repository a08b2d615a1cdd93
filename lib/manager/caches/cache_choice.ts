// Mirrors sigs.k8s.io/controller-runtime/pkg/cache/cache.go, ByObject.
import { errorText } from "@xca/apimachinery/base";
import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { isDnsLabel, type KubeObject, parseLabelSelector } from "@xca/apimachinery/meta";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import type { ResourceType } from "@xca/apimachinery/meta";
import { checkResourceType } from "../../controller/definition/builder_checks.ts";

/** The objects of one kind that a manager caches for its operators and readers, and their form. */
export interface CacheChoice<T extends KubeObject = KubeObject> {
  /** The resource whose cached objects the choice determines. */
  readonly type: ResourceType<T>;
  /**
   * The namespaces whose objects are cached; a source that names another one is refused.
   *
   * @default those of the manager, or all
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * The namespaces whose objects are not cached, while those of the manager's other namespaces are;
   * a source that names one of them is refused. Not together with `namespaces`.
   *
   * @default none
   */
  readonly exceptNamespaces?: readonly string[] | undefined;
  /**
   * The label selector of the cached objects. A source with its own selector gets the objects that
   * match both.
   *
   * @default all
   */
  readonly labelSelector?: string | undefined;
  /**
   * The field selector of the cached objects. A source with its own selector gets the objects that
   * match both.
   *
   * @default all
   */
  readonly fieldSelector?: string | undefined;
  /**
   * Sets whether the manager requests and caches only the metadata of the objects
   * (`PartialObjectMetadata`). Sources and reads must then use the type `metadataOf(type)`.
   *
   * @default {false}
   */
  readonly metadataOnly?: boolean | undefined;
  /**
   * The function that changes each whole object before it is cached; see `SourceOptions.transform`.
   * A source must not have a different function, nor one if the choice has none. Not together with
   * `metadataOnly`.
   *
   * @default none
   */
  transform?(object: T): T;
  /**
   * Sets whether the cache compresses the text of the objects to about a fifth of its size, at the
   * cost of slower reads.
   *
   * @default {false}
   */
  readonly compress?: boolean | undefined;
  /**
   * Sets whether `metadata.managedFields` is left out of the cached objects. A set of children then
   * applies each child at every run, since the fields that it owns are unknown.
   *
   * @default {false}
   */
  readonly dropManagedFields?: boolean | undefined;
}

/** The names of all fields of {@linkcode CacheChoice}. */
const CHOICE_OPTIONS: OptionNames<CacheChoice> = {
  type: true,
  namespaces: true,
  exceptNamespaces: true,
  labelSelector: true,
  fieldSelector: true,
  metadataOnly: true,
  transform: true,
  compress: true,
  dropManagedFields: true,
};

/** The cache choices of a manager by the id of the resource. */
export type CacheChoices = ReadonlyMap<string, CacheChoice>;

/**
 * Returns the cache choices of a manager by the id of their resource, after a check.
 *
 * @throws {TypeError} When a field is unknown or invalid, two choices are of one kind, or the
 * fields of a choice contradict each other.
 */
export function checkedChoices(choices: readonly CacheChoice[]): CacheChoices {
  if (!Array.isArray(choices)) {
    throw new TypeError("Cannot cache as chosen: give a list of choices");
  }
  const byType = new Map<string, CacheChoice>();
  for (const choice of choices) {
    checkResourceType(choice?.type, "Cannot cache a resource as chosen");
    const failure = `Cannot cache ${choice.type.plural} as chosen`;
    checkOptionNames(failure, choice, CHOICE_OPTIONS);
    if (byType.has(choice.type.id)) {
      throw new TypeError(`${failure}: two choices are of that kind; make them one`);
    }
    checkNamespaces(choice, failure);
    if (choice.metadataOnly && choice.transform) {
      throw new TypeError(`${failure}: with metadataOnly there is no object to transform`);
    }
    if (choice.transform !== undefined && typeof choice.transform !== "function") {
      throw new TypeError(`${failure}: transform must be a function`);
    }
    try {
      parseLabelSelector(choice.labelSelector ?? "");
      parseFieldSelector(choice.fieldSelector ?? "");
    } catch (error) {
      throw new TypeError(`${failure}: ${errorText(error)}`, { cause: error });
    }
    byType.set(choice.type.id, choice);
  }
  return byType;
}

/**
 * Checks the namespaces of a cache choice.
 *
 * @throws {TypeError} When a name is invalid, both lists of namespaces are given, or the resource
 * is cluster-scoped.
 */
function checkNamespaces(choice: CacheChoice, failure: string): void {
  const { type, namespaces, exceptNamespaces } = choice;
  if (namespaces === undefined && exceptNamespaces === undefined) return;
  if (namespaces && exceptNamespaces) {
    throw new TypeError(`${failure}: namespaces and exceptNamespaces cannot go together`);
  }
  if (type.scope === "Cluster") {
    throw new TypeError(`${failure}: the resource is cluster-scoped, so it has no namespaces`);
  }
  checkNames(namespaces ?? exceptNamespaces!, failure);
}

/**
 * Checks a list of namespaces.
 *
 * @throws {TypeError} When it is no list, the list is empty, or a name in it is not a valid
 * namespace.
 */
export function checkNames(namespaces: readonly string[], failure: string): void {
  if (!Array.isArray(namespaces)) {
    throw new TypeError(`${failure}: give a list of namespaces, such as ["shop"]`);
  }
  if (namespaces.length === 0) throw new TypeError(`${failure}: the list of namespaces is empty`);
  for (const name of namespaces) {
    if (typeof name === "string" && isDnsLabel(name)) continue;
    throw new TypeError(`${failure}: ${JSON.stringify(name)} is not the name of a namespace`);
  }
}
