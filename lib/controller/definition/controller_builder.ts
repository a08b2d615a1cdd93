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
 * A builder of a controller, which {@linkcode controllerFor} creates; {@linkcode
 * ControllerBuilder.reconcile} returns the {@linkcode ControllerDefinition}. Each other method
 * returns a new builder and leaves its own builder unchanged.
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
   * Returns a builder with another name of the controller, which must be unique within the
   * operator. The default is the kind of the controller's resource in lower case.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label (at most 63 lower-case letters,
   * digits, dashes).
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
   * Adds predicates to those of the controller's own resource: an event of an object of that
   * resource leads to a reconcile run only if all predicates pass the event.
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
   * Adds a source of objects that the controller's objects own: an event of an owned object
   * reconciles its owner of the controller's resource that is marked as its controller; with
   * `anyOwner`, every owner of the controller's resource.
   *
   * @throws {TypeError} When `type` is not a resource type, an option is unknown or of the wrong
   * type, a selector cannot be parsed, or `namespaces` are not valid for the resource.
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
   * Adds a source of other objects to the controller: an event of such an object reconciles the
   * keys that `map` returns for the object, before and after the change.
   *
   * @throws {TypeError} When `type` is not a resource type, `map` is not a function, an option is
   * unknown or of the wrong type, a selector cannot be parsed, or `namespaces` are not valid for
   * the resource.
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
   * that is polled: a function that queues the keys to reconcile. The controller calls the function
   * while it works, and again after a failure ({@linkcode ExternalSource}). A run in one pass, such
   * as `reconcileOnce`, does not wait for the function.
   *
   * @throws {RangeError} When the name is not a DNS-1123 label, or another external source of the
   * controller has it.
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
   * Returns a builder with options of the controller. Options from an earlier call apply unless
   * they are given again; an `undefined` option leaves the earlier one.
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
   * Returns the frozen definition of the controller, with its reconciler; nothing runs yet.
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
 * Returns a builder of a controller for a resource. `options` apply to the source of that resource.
 * The reconciler runs for an object when the object changes, and when another object changes that
 * leads to the first through {@linkcode ControllerBuilder.owns} or {@linkcode
 * ControllerBuilder.watches}.
 *
 * @throws {TypeError} When `type` is not a resource type, an option is unknown or of the wrong
 * type, a selector cannot be parsed, or `namespaces` are not valid for the resource.
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
 * Returns a checked source of a controller, without `anyOwner`. The type of its objects is erased,
 * since one list has sources of many types. Throws the errors of {@linkcode checkSource}.
 */
function source<T extends KubeObject>(controller: string, init: SourceInit<T>): SourceDefinition {
  const { relation, type, map, options } = init;
  checkSource(controller, { relation, type, map, options });
  const { anyOwner: _, predicates = [], ...rest } = options as OwnsOptions<T>;
  return { ...rest, relation, type, map, predicates } as unknown as SourceDefinition;
}
