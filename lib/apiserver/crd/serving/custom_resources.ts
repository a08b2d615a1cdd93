// Mirrors `apiextensions-apiserver/pkg/controller/status/naming_controller.go,
// NamingConditionController`, `controller/establish/establishing_controller.go,
// EstablishingController` and `controller/finalizer/crd_finalizer.go, CRDFinalizer`.
import type { Clock, Random } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import {
  type CustomResourceDefinition,
  DEFINITION_GROUP,
  DEFINITION_RESOURCE,
  type DefinitionNames,
  isTrue,
} from "@xca/apimachinery/internal/schema";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { CallWebhook } from "../../machinery/call_webhook.ts";
import type { ObjectAddress, Registry, StoredChange } from "../../machinery/registry.ts";
import { Worker } from "../../controllers/worker.ts";
import type { ResourceTable } from "../../resources/resource_table.ts";
import { customRows } from "./custom_rows.ts";
import {
  beginCleaning,
  type DefinitionChange,
  finishCleaning,
  isCleaning,
  nextChange,
} from "./definition_changes.ts";

/** The field manager of the server's changes to CustomResourceDefinitions. */
const MANAGER = "kube-apiserver";

/**
 * The functions and objects of the server that the controller of CustomResourceDefinitions
 * ({@linkcode CustomResources}) needs.
 */
export interface CustomResourcesPorts {
  readonly registry: Registry;
  readonly table: ResourceTable;
  readonly clock: Clock;
  readonly random: Random;
  readonly callWebhook: CallWebhook;
}

/** The names that a CustomResourceDefinition has been granted. */
interface AcceptedNames {
  readonly group: string;
  readonly names: DefinitionNames;
  /** Reports whether the CustomResourceDefinition was granted all names that it requests. */
  readonly areAll: boolean;
}

/**
 * The controller of CustomResourceDefinitions: it maintains the entries of the resource table for
 * their resources, sets their accepted names and conditions, and deletes the objects of deleted
 * definitions.
 */
export class CustomResources implements Disposable {
  readonly #ports: CustomResourcesPorts;
  readonly #worker: Worker;
  /**
   * The fields of each served CustomResourceDefinition from which its entries in the resource table
   * were made, by the definition's name.
   */
  readonly #served = new Map<string, { text: string; isTerminating: boolean }>();
  /**
   * The accepted names of each CustomResourceDefinition, by its name. The names are cached, because
   * the names of a definition depend on those of its whole group, whose definitions would otherwise
   * be parsed each time.
   */
  readonly #names = new Map<string, AcceptedNames>();
  /** The names of the CustomResourceDefinitions whose objects are being deleted. */
  readonly #cleaning = new Set<string>();

  constructor(ports: CustomResourcesPorts) {
    this.#ports = ports;
    this.#worker = new Worker(ports.clock, (name) => this.#sync(name));
    this.#worker.follow(ports.registry, (change) => this.#noteChange(change));
    for (const definition of this.#definitions()) this.#note(definition);
  }

  /**
   * Stops the controller of CustomResourceDefinitions after the definition that it is processing.
   * The entries in the resource table remain.
   */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #noteChange(change: StoredChange): void {
    if (change.group === DEFINITION_GROUP && change.resource === DEFINITION_RESOURCE) {
      const definition = change.object() as unknown as CustomResourceDefinition;
      if (change.type === "DELETED") this.#forget(definition);
      else this.#note(definition);
    } else if (change.type === "DELETED" && this.#cleaning.size > 0) {
      const name = `${change.resource}.${change.group}`;
      if (this.#cleaning.has(name)) this.#worker.add(name);
    }
  }

  #note(definition: CustomResourceDefinition): void {
    const { metadata, spec: { group }, status: { acceptedNames: names } } = definition;
    this.#names.set(metadata.name!, { group, names, areAll: isTrue(definition, "NamesAccepted") });
    this.#serve(definition);
    this.#worker.add(metadata.name!);
  }

  #forget({ metadata, spec }: CustomResourceDefinition): void {
    this.#cleaning.delete(metadata.name!);
    this.#names.delete(metadata.name!);
    this.#ports.table.remove(spec.group, spec.names.plural);
    if (this.#served.delete(metadata.name!)) {
      this.#ports.registry.endWatches(spec.group, spec.names.plural);
    }
    // Other definitions may take the released names.
    this.#addGroup(spec.group);
  }

  /**
   * Adds the entries of an established CustomResourceDefinition to the resource table, or replaces
   * them if the definition changed in a way that affects them. A change of its uid, spec or
   * accepted names also ends the watches of the resource. Adds no entries for a definition that is
   * not established.
   */
  #serve(definition: CustomResourceDefinition): void {
    const { metadata, spec, status } = definition;
    if (!isTrue(definition, "Established")) return this.#refuseUnreadable(definition);
    const made = {
      text: JSON.stringify([metadata.uid, spec, status.acceptedNames]),
      isTerminating: isTrue(definition, "Terminating"),
    };
    const before = this.#served.get(metadata.name!);
    if (before?.text === made.text && before.isTerminating === made.isTerminating) return;
    this.#served.set(metadata.name!, made);
    const { table, callWebhook, random, registry } = this.#ports;
    if (before && before.text !== made.text) {
      registry.endWatches(spec.group, status.acceptedNames.plural);
    }
    table.remove(spec.group, status.acceptedNames.plural);
    table.add(customRows(definition, { callWebhook, uid: () => random.uuid() }));
  }

  /**
   * Marks the resource of a CustomResourceDefinition as one that cannot be served, if a condition
   * states that the CA bundle of its conversion webhook is invalid.
   */
  #refuseUnreadable({ spec, status }: CustomResourceDefinition): void {
    const { acceptedNames, conditions } = status;
    if (!conditions?.some(({ reason }) => reason === "InvalidCABundle")) return;
    const served = spec.versions.filter((version) => version.served).map(({ name }) => name);
    this.#ports.table.remove(spec.group, acceptedNames.plural);
    this.#ports.table.addUnresolvable(spec.group, acceptedNames.plural, served);
  }

  #definitions(): CustomResourceDefinition[] {
    const found = this.#ports.registry.list(DEFINITION_GROUP, DEFINITION_RESOURCE);
    return [...found] as unknown as CustomResourceDefinition[];
  }

  #namesOfGroup(group: string): DefinitionNames[] {
    const ofGroup = this.#names.values().filter((accepted) => accepted.group === group);
    return [...ofGroup.map(({ names }) => names)];
  }

  /**
   * Adds the CustomResourceDefinitions of a group that were not granted all requested names to the
   * queue.
   */
  #addGroup(group: string): void {
    for (const [name, accepted] of this.#names) {
      if (accepted.group === group && !accepted.areAll) this.#worker.add(name);
    }
  }

  #get(name: string): CustomResourceDefinition | undefined {
    const found = this.#ports.registry.get(DEFINITION_GROUP, DEFINITION_RESOURCE, "", name);
    return found as unknown as CustomResourceDefinition | undefined;
  }

  async #sync(name: string): Promise<void> {
    const definition = this.#get(name);
    if (!definition) return;
    const { group } = definition.spec;
    const change = nextChange(definition, this.#namesOfGroup(group), this.#ports.clock.now());
    if (change) {
      await this.#change(name, change);
      this.#addGroup(group);
    } else if (isCleaning(definition)) await this.#clean(definition);
  }

  async #clean(definition: CustomResourceDefinition): Promise<void> {
    const { clock } = this.#ports;
    const name = definition.metadata.name!;
    if (!this.#cleaning.has(name)) {
      this.#cleaning.add(name);
      await this.#change(name, beginCleaning(clock.now()));
    }
    if (isTrue(definition, "Established")) {
      await this.#deleteObjects(definition);
      if (this.#objects(definition).length > 0) return;
    }
    await this.#change(name, finishCleaning(clock.now()));
  }

  #objects({ spec, status }: CustomResourceDefinition): ApiObject[] {
    return [...this.#ports.registry.list(spec.group, status.acceptedNames.plural)];
  }

  /**
   * Deletes the objects of a CustomResourceDefinition that are not being deleted yet, without
   * admission, since the webhooks may be gone with their operator. Attempts all deletions, and then
   * rejects with the first error.
   */
  async #deleteObjects(definition: CustomResourceDefinition): Promise<void> {
    const { spec: { group }, status: { acceptedNames } } = definition;
    const errors: unknown[] = [];
    for (const { metadata } of this.#objects(definition)) {
      const { namespace = "", name = "", deletionTimestamp } = metadata;
      if (deletionTimestamp !== undefined) continue;
      const address = { group, resource: acceptedNames.plural, namespace, name };
      const deletion = this.#ports.registry.delete(address, { skipAdmission: true });
      await ignoreGone(deletion).catch((error) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }

  async #change(name: string, change: DefinitionChange): Promise<void> {
    const address: ObjectAddress = {
      group: DEFINITION_GROUP,
      resource: DEFINITION_RESOURCE,
      namespace: "",
      name,
    };
    const apply = (current: ApiObject): ApiObject => {
      change(current as unknown as CustomResourceDefinition);
      return current;
    };
    const options = { subresource: "status", fieldManager: MANAGER };
    await ignoreGone(this.#ports.registry.update(address, apply, options));
  }
}

/**
 * Waits for a write of a CustomResourceDefinition or the deletion of a custom object. Ignores the
 * errors 404 and 409, since the concurrent deletion or change of the object is processed
 * separately.
 */
async function ignoreGone(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error;
  }
}
