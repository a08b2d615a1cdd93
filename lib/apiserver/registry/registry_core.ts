import type { Clock, Random } from "@xca/apimachinery/base";
import type { LoopShare } from "@xca/apimachinery/internal/base";
import type { Admission } from "../machinery/admission.ts";
import type { RegistryPort } from "../machinery/registry_port.ts";
import type { FieldManagers } from "../managed_fields/field_managers.ts";
import type { RevisionLog } from "../storage/revision_log.ts";
import type { ResourceFinder } from "./resource_finder.ts";

/** The registry with the storage behind it, for the verbs. */
export interface RegistryCore extends RegistryPort {
  readonly log: RevisionLog;
  readonly resources: ResourceFinder;
  readonly managers: FieldManagers;
  readonly clock: Clock;
  /** The event loop's time, which all requests share. */
  readonly share: LoopShare;
  readonly random: Random;
  readonly admission: readonly Admission[];
}
