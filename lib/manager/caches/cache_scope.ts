import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import type { CacheChoice } from "./cache_choice.ts";

/**
 * The scope of the objects of one kind that a controller's source or a cache reader requests:
 * namespaces, selectors and transform.
 */
export interface WantedScope {
  /** The resource of the requested objects. */
  readonly type: ResourceType;
  /**
   * The namespaces of the requested objects.
   *
   * @default those of the choice, of the manager, or all
   */
  readonly namespaces?: readonly string[] | undefined;
  /** The label selector of the requested objects. @default all */
  readonly labelSelector?: string | undefined;
  /** The field selector of the requested objects. @default all */
  readonly fieldSelector?: string | undefined;
  /** The function that changes each object before it is cached. @default that of the choice */
  readonly transform?: ((object: KubeObject) => KubeObject) | undefined;
}

/**
 * The scope of the objects of one kind that informers watch: those that a source requests and a
 * cache choice includes.
 */
export type ChosenScope = Omit<WantedScope, "type">;

/**
 * Returns the scope of the informers of a source or reader: the requested objects that the
 * manager's cache choice for the kind includes.
 *
 * @param user The name of the source or reader in errors, such as `controller web`.
 * @param choice The manager's choice for the kind; `undefined` when it has none.
 * @param namespaces The namespaces of the manager; `undefined` for all.
 *
 * @throws {TypeError} When the choice and the wanted scope contradict each other in their
 * namespaces, their transforms or `metadataOnly`, or no namespace is left.
 */
export function chosenScope(
  user: string,
  wanted: WantedScope,
  choice: CacheChoice | undefined,
  namespaces: readonly string[] | undefined,
): ChosenScope {
  const { type } = wanted;
  const failure = `Cannot cache ${type.plural} for ${user}`;
  const isWhole = !type.metadataOnly;
  if (choice?.metadataOnly && isWhole) {
    throw new TypeError(
      `${failure}: the manager caches only their metadata; name the type as metadataOf(...), or ` +
        `leave metadataOnly out of the manager's choice`,
    );
  }
  const transform = isWhole
    ? choice?.transform as WantedScope["transform"] // The choice is of the objects' type.
    : undefined;
  // The readers of the manager get the objects as the choice says.
  if (choice && isWhole && wanted.transform && transform !== wanted.transform) {
    throw new TypeError(
      transform
        ? `${failure}: it has another transform than the manager's choice; use one function in both`
        : `${failure}: it has a transform of its own, and the manager's choice of ${type.plural} has ` +
          "none; set the function as the transform of the choice",
    );
  }
  return {
    ...chosenNamespaces(failure, wanted, choice, namespaces),
    labelSelector: joined(choice?.labelSelector, wanted.labelSelector),
    transform: wanted.transform ?? transform,
  };
}

/**
 * Returns the namespaces to watch, and the field selector of the objects to watch. Without a list
 * of namespaces, the selector also excludes those that the choice leaves out.
 *
 * @throws {TypeError} When the choice leaves out a requested namespace, or all of the manager.
 */
function chosenNamespaces(
  failure: string,
  wanted: WantedScope,
  choice: CacheChoice | undefined,
  ofManager: readonly string[] | undefined,
): Pick<ChosenScope, "namespaces" | "fieldSelector"> {
  const own = joined(choice?.fieldSelector, wanted.fieldSelector);
  if (wanted.type.scope === "Cluster") return { namespaces: undefined, fieldSelector: own };
  const { namespaces: only, exceptNamespaces: except = [] } = choice ?? {};
  if (wanted.namespaces) {
    const outside = wanted.namespaces.find((each) =>
      (only && !only.includes(each)) || except.includes(each)
    );
    if (outside !== undefined) {
      throw new TypeError(
        `${failure}: it watches namespace ${outside}, which the manager's choice leaves out`,
      );
    }
    return { namespaces: wanted.namespaces, fieldSelector: own };
  }
  const namespaces = (only ?? ofManager)?.filter((each) => !except.includes(each));
  if (namespaces?.length === 0) {
    throw new TypeError(`${failure}: the manager's choice leaves out each of its namespaces`);
  }
  if (namespaces) return { namespaces, fieldSelector: own };
  const excluded = except.map((each) => `metadata.namespace!=${each}`);
  return { namespaces: undefined, fieldSelector: joined(...excluded, own) };
}

/**
 * Returns one selector that matches the objects that all given selectors match; `undefined` when no
 * selector is given.
 */
function joined(...selectors: (string | undefined)[]): string | undefined {
  const given = selectors.filter((each) => each !== undefined && each !== "");
  return given.length === 0 ? undefined : given.join(",");
}
