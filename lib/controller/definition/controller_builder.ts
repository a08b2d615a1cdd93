import { withoutUndefined } from "@xca/apimachinery/internal/base";
import { isDnsLabel, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import type {
  ControllerDefinition,
  ControllerOptions,
  SourceDefinition,
  SourceOptions,
} from "./controller_definition.ts";
import { checkPredicates, checkResourceType, checkSource } from "./builder_checks.ts";
import type { ExternalSource, ExternalSourceDefinition } from "./external_source.ts";
import { checkFunction } from "./value_checks.ts";
import { checkControllerOptions } from "./controller_options.ts";
import { type MapFunction, toOwner, type ToOwnerOptions, toSelf } from "./mapping.ts";
import type { Predicate } from "./predicate.ts";
import type { Reconciler } from "./reconciler.ts";
import { resourceUse } from "./declare_use.ts";
import type { AccessCall, ResourceUse, UseOptions } from "./resource_use.ts";

/** Options of {@linkcode ControllerBuilder.owns}, which declares a kind of child objects. */
export interface OwnsOptions<T extends KubeObject = KubeObject>
  extends SourceOptions<T>, ToOwnerOptions {}

/**
 * A builder of controllers, whose result is a {@linkcode ControllerDefinition}; {@linkcode
 * controllerFor} makes the first. Each method that adds or sets something returns a new builder and
 * leaves its own builder unchanged.
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
  readonly #uses: readonly ResourceUse[];
  readonly #externalSources: readonly ExternalSourceDefinition[];

  /** Creates a controller builder from checked settings; use {@linkcode controllerFor}. */
  constructor(
    type: ResourceType<T>,
    name: string,
    sources: readonly SourceDefinition[],
    options: ControllerOptions,
    uses: readonly ResourceUse[] = [],
    externalSources: readonly ExternalSourceDefinition[] = [],
  ) {
    this.#type = type;
    this.#name = name;
    this.#sources = sources;
    this.#options = options;
    this.#uses = uses;
    this.#externalSources = externalSources;
  }

  /**
   * Sets the name of the controller, which must be unique within the operator. The default is the
   * kind of its resource in lower case.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label (lower-case letters, digits,
   * dashes).
   */
  named(name: string): ControllerBuilder<T> {
    if (typeof name !== "string" || !isDnsLabel(name)) {
      throw new RangeError(
        `Cannot name the controller for ${this.#type.kind}: the name must be at most 63 lower-case ` +
          `letters, digits and dashes, is ${JSON.stringify(name)}`,
      );
    }
    return this.#with({ name });
  }

  /**
   * Adds predicates to the controller's own resource: an event that a predicate drops leads to no
   * reconcile run.
   *
   * @throws {TypeError} When a predicate is not a function.
   */
  withPredicates(...predicates: readonly Predicate<T>[]): ControllerBuilder<T> {
    checkPredicates(predicates, `Cannot build controller ${this.#name}: source ${this.#type.id}`);
    const [own, ...others] = this.#sources as [SourceDefinition, ...SourceDefinition[]];
    const filtered = {
      ...own,
      predicates: [...own.predicates, ...predicates as readonly Predicate[]],
    };
    return this.#with({ sources: [filtered, ...others] });
  }

  /**
   * Adds a source of objects that the controller's objects own: a change of an owned object
   * reconciles the owner that is its controller; with `anyOwner`, every owner of the controller's
   * resource.
   *
   * @throws {TypeError} When an option is unknown or of the wrong type, or a selector cannot be
   * parsed.
   */
  owns<Owned extends KubeObject>(
    type: ResourceType<Owned>,
    options: OwnsOptions<Owned> = {},
  ): ControllerBuilder<T> {
    const map = toOwner(this.#type, { anyOwner: options?.anyOwner ?? false });
    const owned = source(this.#name, { relation: "owns", type, map, options });
    return this.#with({ sources: [...this.#sources, owned] });
  }

  /**
   * Adds a source of other objects to the controller: a change of such an object reconciles the
   * keys that `map` returns.
   *
   * @throws {TypeError} When `map` is not a function, an option is unknown or of the wrong type, or
   * a selector cannot be parsed.
   */
  watches<Watched extends KubeObject>(
    type: ResourceType<Watched>,
    map: MapFunction<Watched>,
    options: SourceOptions<Watched> = {},
  ): ControllerBuilder<T> {
    const watched = source(this.#name, { relation: "watches", type, map, options });
    return this.#with({ sources: [...this.#sources, watched] });
  }

  /**
   * Adds a source of changes outside of the cluster to the controller, such as those of a registry
   * that is polled: a function that queues the keys to reconcile. It runs while the controller
   * works, and again after a failure ({@linkcode ExternalSource}). A run in one pass, such as
   * `reconcileOnce`, does not wait for it.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label, or another external source has it.
   * @throws {TypeError} When `run` is not a function.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { controllerFor } from "@xca/operator/controller";
   * import { ConfigMap } from "@xca/operator/meta";
   *
   * const changes = new EventTarget();
   * const controller = controllerFor(ConfigMap)
   *   .reconcilesOn("prices", ({ enqueue, signal }) =>
   *     new Promise((resolve) => {
   *       changes.addEventListener("price", () => enqueue("default/prices"), { signal });
   *       signal.addEventListener("abort", () => resolve(), { once: true });
   *     }))
   *   .reconcile(() => {});
   * assert.equal(controller.externalSources?.[0]?.name, "prices");
   * ```
   */
  reconcilesOn(name: string, run: ExternalSource): ControllerBuilder<T> {
    const failure = `Cannot build controller ${this.#name}: external source`;
    if (typeof name !== "string" || !isDnsLabel(name)) {
      throw new RangeError(
        `${failure}: its name must be at most 63 lower-case letters, digits and dashes, is ` +
          JSON.stringify(name),
      );
    }
    if (this.#externalSources.some((source) => source.name === name)) {
      throw new RangeError(`${failure} ${name} is declared twice; give one of them another name`);
    }
    checkFunction(run, `${failure} ${name}`);
    return this.#with({ externalSources: [...this.#externalSources, { name, run }] });
  }

  /**
   * Sets options of the controller. Options from an earlier call apply unless they are given again.
   *
   * @throws {RangeError} When an option is out of range.
   * @throws {TypeError} When an option is unknown or of the wrong type.
   */
  options(options: ControllerOptions): ControllerBuilder<T> {
    checkControllerOptions(this.#name, options);
    return this.#with({ options: { ...this.#options, ...withoutUndefined(options) } });
  }

  /**
   * Declares the calls on a resource that the reconciler makes, in addition to the lists and
   * watches of its sources: verbs (`get`, `create`), methods of the client (`apply`,
   * `updateStatus`), and helpers (`applyChild`, `finalize`, `recordEvents`). The RBAC rules of the
   * operator are derived from the declaration (`rulesOf` of `@xca/operator/rbac`), and a manager
   * checks these rights at its start. A call that is not declared is sent nevertheless.
   *
   * @throws {TypeError} When `type` is not a resource type, a call or an option is unknown or not
   * valid, or an option restricts a call that RBAC cannot restrict.
   */
  uses<Used extends KubeObject>(
    type: ResourceType<Used>,
    calls: readonly AccessCall[],
    options: UseOptions = {},
  ): ControllerBuilder<T> {
    return this.#with({ uses: [...this.#uses, resourceUse(type, calls, options)] });
  }

  /**
   * Returns the definition of the controller, with its reconciler.
   *
   * @throws {TypeError} When `reconcile` is not a function.
   */
  reconcile(reconcile: Reconciler): ControllerDefinition {
    checkFunction(reconcile, `Cannot build controller ${this.#name}: reconcile`);
    return Object.freeze({ ...this.#parts(), reconcile });
  }

  /** Returns a copy of the builder with some fields replaced. */
  #with(changed: Partial<Omit<ControllerDefinition, "type" | "reconcile">>): ControllerBuilder<T> {
    const { name, sources, options, uses, externalSources } = { ...this.#parts(), ...changed };
    return new ControllerBuilder(this.#type, name, sources, options, uses, externalSources);
  }

  #parts(): Omit<ControllerDefinition, "reconcile"> {
    return {
      name: this.#name,
      type: this.#type,
      sources: this.#sources,
      options: this.#options,
      uses: this.#uses,
      externalSources: this.#externalSources,
    };
  }
}

/**
 * Returns a builder of a controller for a resource. Its reconciler runs for an object when the
 * object changes, and when an object changes that leads to it through {@linkcode
 * ControllerBuilder.owns} or {@linkcode ControllerBuilder.watches}.
 *
 * @throws {TypeError} When `type` is not a resource type, an option is unknown or of the wrong
 * type, or a selector cannot be parsed.
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
  checkResourceType(type, "Cannot build a controller");
  const name = type.kind.toLowerCase();
  const own = source(name, { relation: "for", type, map: toSelf as MapFunction<T>, options });
  return new ControllerBuilder(type, name, [own], {});
}

interface SourceInit<T extends KubeObject> {
  readonly relation: SourceDefinition["relation"];
  readonly type: ResourceType<T>;
  readonly map: MapFunction<T>;
  readonly options: SourceOptions<T>;
}

/**
 * Creates a checked source of a controller. The type of its objects is erased, since one list holds
 * sources of many types.
 */
function source<T extends KubeObject>(controller: string, init: SourceInit<T>): SourceDefinition {
  const { relation, type, map, options } = init;
  checkSource(controller, { relation, type, map, options });
  const { anyOwner: _, predicates = [], ...rest } = options as OwnsOptions<T>;
  return { ...rest, relation, type, map, predicates } as unknown as SourceDefinition;
}
