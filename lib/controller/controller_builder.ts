import { isDnsLabel, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import type {
  ControllerDefinition,
  ControllerOptions,
  SourceDefinition,
  SourceOptions,
} from "./controller_definition.ts";
import { checkControllerOptions } from "./controller_options.ts";
import { type MapFunction, toOwner, type ToOwnerOptions, toSelf } from "./mapping.ts";
import type { Predicate } from "./predicate.ts";
import type { Reconciler } from "./reconciler.ts";

/** Options for {@linkcode ControllerBuilder.owns}. */
export interface OwnsOptions<T extends KubeObject = KubeObject>
  extends SourceOptions<T>, ToOwnerOptions {}

/**
 * Describes a controller step by step; see {@linkcode controllerFor}. Immutable: each step returns a
 * new builder.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor } from "@xca/operator/controller";
 * import { ConfigMap, Deployment, Secret } from "@xca/operator/meta";
 *
 * const builder = controllerFor(Deployment).owns(ConfigMap);
 * const rotated = builder.watches(Secret, (secret) => [`${secret.namespace}/web`]);
 * assert.equal(rotated.reconcile(() => {}).sources.length, 3);
 * assert.equal(builder.reconcile(() => {}).sources.length, 2); // unchanged
 * ```
 */
export class ControllerBuilder<T extends KubeObject> {
  readonly #type: ResourceType<T>;
  readonly #name: string;
  readonly #sources: readonly SourceDefinition[];
  readonly #options: ControllerOptions;

  /** Called by {@linkcode controllerFor}. */
  constructor(
    type: ResourceType<T>,
    name: string,
    sources: readonly SourceDefinition[],
    options: ControllerOptions,
  ) {
    this.#type = type;
    this.#name = name;
    this.#sources = sources;
    this.#options = options;
  }

  /**
   * Names the controller, when the kind in lower case would not be unique.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label (lower-case letters, digits, dashes).
   */
  named(name: string): ControllerBuilder<T> {
    if (!isDnsLabel(name)) {
      throw new RangeError(
        `Cannot name the controller for ${this.#type.kind}: the name must consist of lower-case ` +
          `letters, digits and dashes, is ${JSON.stringify(name)}`,
      );
    }
    return new ControllerBuilder(this.#type, name, this.#sources, this.#options);
  }

  /** Lets events of the controller's own resource pass only when all these predicates pass them. */
  withPredicates(...predicates: readonly Predicate<T>[]): ControllerBuilder<T> {
    const [own, ...others] = this.#sources as [SourceDefinition, ...SourceDefinition[]];
    const filtered = {
      ...own,
      predicates: [...own.predicates, ...predicates as readonly Predicate[]],
    };
    return this.#with([filtered, ...others]);
  }

  /**
   * Also reconciles an object when something changes that it owns.
   *
   * @throws {TypeError} When namespaces are given that are none, or for a cluster-scoped resource; when an
   * index or the transform is no function.
   */
  owns<Owned extends KubeObject>(
    type: ResourceType<Owned>,
    options: OwnsOptions<Owned> = {},
  ): ControllerBuilder<T> {
    const { anyOwner = false, ...rest } = options;
    const map = toOwner(this.#type, { anyOwner });
    return this.#with([...this.#sources, source("owns", type, map, rest)]);
  }

  /**
   * Also reconciles the objects that `map` names when something else changes.
   *
   * @throws {TypeError} When namespaces are given that are none, or for a cluster-scoped resource; when an
   * index or the transform is no function.
   */
  watches<Watched extends KubeObject>(
    type: ResourceType<Watched>,
    map: MapFunction<Watched>,
    options: SourceOptions<Watched> = {},
  ): ControllerBuilder<T> {
    return this.#with([...this.#sources, source("watches", type, map, options)]);
  }

  /**
   * Sets how the controller runs; options given before and not now stay.
   *
   * @throws {RangeError} When an option is out of range.
   */
  options(options: ControllerOptions): ControllerBuilder<T> {
    checkControllerOptions(this.#name, options);
    return new ControllerBuilder(this.#type, this.#name, this.#sources, {
      ...this.#options,
      ...options,
    });
  }

  /** Completes the description. */
  reconcile(reconcile: Reconciler): ControllerDefinition {
    return Object.freeze({
      name: this.#name,
      type: this.#type,
      sources: this.#sources,
      options: this.#options,
      reconcile,
    });
  }

  #with(sources: readonly SourceDefinition[]): ControllerBuilder<T> {
    return new ControllerBuilder(this.#type, this.#name, sources, this.#options);
  }
}

/**
 * Begins the description of a controller for a resource: an object of it is reconciled whenever it
 * changes, and whenever something changes that the controller owns or watches.
 *
 * @throws {TypeError} When namespaces are given that are none, or for a cluster-scoped resource; when an
 * index or the transform is no function.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, generationChanged } from "@xca/operator";
 *
 * const controller = controllerFor(ConfigMap)
 *   .named("greeter")
 *   .withPredicates(generationChanged)
 *   .options({ workers: 4 })
 *   .reconcile(({ key, cache, log }) => {
 *     const map = cache.get(ConfigMap, key);
 *     if (map) log.info("Hello, {key}", { key });
 *   });
 * assert(controller.name === "greeter");
 * ```
 */
export function controllerFor<T extends KubeObject>(
  type: ResourceType<T>,
  options: SourceOptions<T> = {},
): ControllerBuilder<T> {
  const own = source("for", type, toSelf as MapFunction<T>, options);
  return new ControllerBuilder(type, type.kind.toLowerCase(), [own], {});
}

/** @throws {TypeError} When namespaces are given that are none, or for a cluster-scoped resource. */
function checkNamespaces(type: ResourceType, namespaces: readonly string[] | undefined): void {
  if (namespaces === undefined) return;
  const what = `Cannot watch ${type.id} in namespaces ${JSON.stringify(namespaces)}`;
  if (type.scope === "Cluster") throw new TypeError(`${what}: that resource is cluster-scoped`);
  if (!Array.isArray(namespaces) || namespaces.length === 0) {
    throw new TypeError(`${what}: they must be an array of at least one; leave it out for all`);
  }
  const wrong = namespaces.find((each) => !isDnsLabel(each));
  if (wrong !== undefined || new Set(namespaces).size < namespaces.length) {
    throw new TypeError(`${what}: each must be the name of a namespace, and be given once`);
  }
}

/** @throws {TypeError} When `indexes` is no record of functions. */
function checkIndexes(type: ResourceType, indexes: unknown): void {
  if (indexes === undefined) return;
  if (typeof indexes !== "object" || indexes === null) {
    throw new TypeError(`Cannot index ${type.id}: indexes must be an object of functions by name`);
  }
  for (const [name, index] of Object.entries(indexes)) {
    if (typeof index === "function") continue;
    throw new TypeError(
      `Cannot index ${type.id}: index ${name} must be a function, is of type ${typeof index}`,
    );
  }
}

/** @throws {TypeError} When `transform` is no function. */
function checkTransform(type: ResourceType, transform: unknown): void {
  if (transform === undefined || typeof transform === "function") return;
  throw new TypeError(
    `Cannot transform ${type.id}: transform must be a function, is of type ${typeof transform}`,
  );
}

/** The types of what a source's own functions take are checked above, and forgotten here. */
function source<T extends KubeObject>(
  relation: SourceDefinition["relation"],
  type: ResourceType<T>,
  map: MapFunction<T>,
  options: SourceOptions<T>,
): SourceDefinition {
  const { predicates = [], namespaces, indexes, transform } = options;
  checkNamespaces(type, namespaces);
  checkIndexes(type, indexes);
  checkTransform(type, transform);
  return { ...options, relation, type, map, predicates } as unknown as SourceDefinition;
}
