import { EventRecorder } from "../../events/event_recorder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { ControllerPorts } from "../ports/controller_ports.ts";

/**
 * Creates the recorder of a controller's events. Events are writes and pass the gate, so that a
 * replica that may have lost its leadership does not begin to write one.
 */
export function recorderOf(
  { name, options }: Pick<ControllerDefinition, "name" | "options">,
  { client, gate, clock, random }: Pick<ControllerPorts, "client" | "gate" | "clock" | "random">,
): EventRecorder {
  const controller = options.eventSource ?? name;
  return new EventRecorder({ client, controller, gate, clock, random });
}
