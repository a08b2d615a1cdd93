import { EventRecorder } from "../../events/event_recorder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ControllerPorts } from "../ports/controller_ports.ts";

/**
 * Returns a new recorder of a controller's Kubernetes events, with the option `eventSource` or the
 * controller's name as their source; the caller closes it. Events are writes and pass the gate, so
 * that a replica that may have lost its leadership does not begin to write an event.
 */
export function recorderOf(
  { name, options }: Pick<ControllerDefinition, "name" | "options">,
  { client, gate, clock, random }: Pick<ControllerPorts, "client" | "gate" | "clock" | "random">,
): EventRecorder {
  const controller = options.eventSource ?? name;
  return new EventRecorder({ client, controller, gate, clock, random });
}
