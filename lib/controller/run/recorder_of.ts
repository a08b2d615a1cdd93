import { EventRecorder } from "../../events/event_recorder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ControllerPorts } from "../ports/controller_ports.ts";

/**
 * Returns the recorder of a controller's events. Events are mutations: they pass the gate, so that a
 * leader that may have been deposed starts to write none.
 */
export function recorderOf(
  { name, options }: Pick<ControllerDefinition, "name" | "options">,
  { client, gate, clock, random }: Pick<ControllerPorts, "client" | "gate" | "clock" | "random">,
): EventRecorder {
  const controller = options.eventSource ?? name;
  return new EventRecorder({ client, controller, gate, clock, random });
}
