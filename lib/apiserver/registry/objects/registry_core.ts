import type { Clock, Random } from "@xca/apimachinery/base";
import type { LoopShare } from "@xca/apimachinery/internal/base";
import type { Admission } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import type { FieldManagers } from "../../managed_fields/field_managers.ts";
import type { Collection } from "../../storage/collection.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import type { ResourceFinder } from "./resource_finder.ts";
import type { WatchHub } from "../watch/watch_hub.ts";

/**
 * The interface through which verbs and request handlers use the registry and the storage behind
 * it.
 */
export interface RegistryCore extends Registry {
  readonly log: RevisionLog;
  readonly resources: ResourceFinder;
  readonly managers: FieldManagers;
  readonly clock: Clock;
  /** The budget of the event loop's time, which all requests share. */
  readonly share: LoopShare;
  readonly random: Random;
  readonly admission: readonly Admission[];
  /** The hub that notifies watches of the registry's writes. */
  readonly hub: WatchHub;
  /** The names of the components that run together with the API server. */
  readonly components: readonly string[];
  /** Returns the collection that stores the objects of a resource. */
  collectionOf(resource: ApiResource): Collection;
}
