import type { Clock, Random } from "@xca/apimachinery/base";
import type { LoopShare } from "@xca/apimachinery/internal/base";
import type { Admission } from "../machinery/admission.ts";
import type { RegistryPort } from "../machinery/registry_port.ts";
import type { FieldManagers } from "../managed_fields/field_managers.ts";
import type { RevisionLog } from "../storage/revision_log.ts";
import type { ResourceFinder } from "./resource_finder.ts";

/** What the verbs work on: the port that other parts see, and what lies behind it. */
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
