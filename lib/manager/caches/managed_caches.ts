import type { Clock, Random } from "@xca/apimachinery/base";
import { type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import type { InformerLease } from "./informer_lease.ts";
import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { Client } from "../../client/typed/client.ts";
import { cacheReport } from "../../controller/sources/cache_report.ts";
import type { CacheReport } from "../../controller/ports/operator_report.ts";
import type { ControllerInformerOptions, Informers } from "../../controller/ports/informers.ts";
import type { Runnable } from "../runnable.ts";
import { type CacheHealth, cacheHealthOf, isFilledOrCannotBe } from "./cache_health.ts";
import { type CacheChoice, type CacheChoices, checkedChoices } from "./cache_choice.ts";

/** Options for {@linkcode ManagedCaches}, the informers that the operators of a manager share. */
export interface ManagedCachesOptions {
  /** The client by which the manager's informers list and watch. */
  readonly client: Client;
  /** The manager's choices of cached objects, one per kind at most. */
  readonly choices: readonly CacheChoice[];
  /** The namespaces to watch for kinds without a choice of namespaces. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /** The clock of the manager's informers. */
  readonly clock: Clock;
  /** The source of jitter for the retries of the manager's informers. */
  readonly random: Random;
}

/** A provider of informers for one operator, which releases them when it is disposed. */
export interface InformerUse extends Informers, Disposable {}

/**
 * The caches of a manager: one informer per kind, namespace and selectors, for all operators and
 * readers. An informer starts with its first user, as soon as the caches run, and ends with its
 * last one.
 */
export class ManagedCaches implements Runnable {
  readonly name = "caches";
  readonly group = "caches";
  /**
   * A promise that resolves when each informer of an operator has its first list, or cannot get it
   * because its resource is missing or forbidden; at the latest when the caches have ended. Neither a
   * kind that is missing or forbidden nor one that only reads use delays the others.
   */
  readonly ready: Promise<void>;
  /** The manager's choices of cached objects by the id of their resource. */
  readonly choices: CacheChoices;
  /** The namespaces of kinds without a choice of namespaces; `undefined` for all. */
  readonly namespaces: readonly string[] | undefined;
  readonly #clock: Clock;
  readonly #factory: InformerFactory;
  /** The leases of each operator. */
  readonly #uses = new Set<readonly InformerLease[]>();
  readonly #filled = Promise.withResolvers<void>();
  #signal: AbortSignal | undefined;

  /**
   * Creates the manager's caches, without informers at first.
   *
   * @throws {TypeError} When two choices are of one kind, or the fields of a choice contradict each
   * other.
   */
  constructor({ client, choices, namespaces, clock, random }: ManagedCachesOptions) {
    this.choices = checkedChoices(choices);
    this.namespaces = namespaces;
    this.#clock = clock;
    this.ready = this.#filled.promise;
    this.#factory = new InformerFactory(client, { clock, random, onError: () => this.#check() });
  }

  /** The health of each informer of the manager. */
  get health(): readonly CacheHealth[] {
    const required = this.#required;
    return this.#factory.informers.map((each) => cacheHealthOf(each, required.has(each.informer)));
  }

  /** The informers that operators use. */
  get #required(): ReadonlySet<SharedInformer> {
    return new Set([...this.#uses].flat().map(({ informer }) => informer));
  }

  /** The reports on the caches of the manager's informers, for `/debug`. */
  get reports(): readonly CacheReport[] {
    const nowMs = this.#clock.monotonicMs();
    return this.#factory.informers.map((each) => cacheReport(each, nowMs));
  }

  /** The informers of the manager that exist now. */
  get informers(): readonly SharedInformer[] {
    return this.#factory.informers.map(({ informer }) => informer);
  }

  /**
   * Returns a provider of informers for one operator; disposing the provider releases its
   * informers.
   */
  use(): InformerUse {
    const leases: InformerLease[] = [];
    this.#uses.add(leases);
    return {
      informer: <T extends KubeObject>(
        type: ResourceType<T>,
        options?: ControllerInformerOptions<T>,
      ): SharedInformer<T> => {
        const lease = this.acquire(type, options);
        leases.push(lease as unknown as InformerLease);
        return lease.informer;
      },
      [Symbol.dispose]: () => {
        this.#uses.delete(leases);
        for (const lease of leases.splice(0)) lease[Symbol.dispose]();
      },
    };
  }

  /**
   * Returns a lease of the informer of a resource with the given namespace and selectors, which is
   * created if there is none. The informer runs while the caches run and one of its leases is not
   * disposed. `compress` and `dropManagedFields` of the kind's choice apply; the caller applies its
   * scope and transform (`chosenScope`).
   *
   * @throws {TypeError} When another user needs the informer with another transform, or a selector
   * cannot be parsed.
   */
  acquire<T extends KubeObject>(
    type: ResourceType<T>,
    options: ControllerInformerOptions<T> = {},
  ): InformerLease<T> {
    const { compress, dropManagedFields } = this.choices.get(type.id) ?? {};
    const form = { ...(compress && { compress }), ...(dropManagedFields && { dropManagedFields }) };
    const lease = this.#factory.acquire(type, { ...options, ...form });
    if (this.#signal) {
      this.#factory.start(this.#signal);
      this.#follow(lease.informer, this.#signal);
    }
    return lease;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#factory.start(signal);
    this.#check();
    for (const { informer } of this.#factory.informers) this.#follow(informer, signal);
    await new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await this.#factory.done;
    this.#filled.resolve();
  }

  /** Checks the caches of the operators once an informer is filled, or has ended. */
  #follow(informer: Pick<SharedInformer, "whenSynced">, signal: AbortSignal): void {
    informer.whenSynced(signal).then(() => this.#check(), () => this.#check());
  }

  #check(): void {
    if (this.#signal && [...this.#required].every(isFilledOrCannotBe)) this.#filled.resolve();
  }
}
