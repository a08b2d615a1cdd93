import { described } from "@xca/apimachinery/internal/base";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import { type Runnable, RUNNABLE_GROUPS } from "../runnable.ts";

/**
 * The names in use in a manager: the names of its runnables, operators included, and the names of
 * its controllers. No two runnables, and no two controllers, have the same name.
 */
export class Names {
  readonly #runnables = new Set<string>();
  /** The name of the operator of each controller of a manager, by the controller's name. */
  readonly #controllers = new Map<string, string>();

  /**
   * Registers the unique name of a runnable.
   *
   * @throws {TypeError} When the runnable is no object, its name is empty or in use, it has no
   * `run`, or its group does not exist.
   */
  addRunnable(runnable: Runnable): void {
    if (Object(runnable) !== runnable) {
      throw new TypeError(
        `Cannot add a runnable: it must be an operator or an object with run(), is ${
          described(runnable)
        }`,
      );
    }
    const { name, run, group } = runnable;
    this.#checkRunnable(name);
    if (typeof run !== "function") {
      throw new TypeError(
        `Cannot add ${name}: it is neither an operator nor a runnable with run()`,
      );
    }
    if (group !== undefined && !RUNNABLE_GROUPS.includes(group)) {
      throw new TypeError(
        `Cannot add ${name}: there is no group ${String(group)}, only ${
          RUNNABLE_GROUPS.join(", ")
        }`,
      );
    }
    this.#runnables.add(name);
  }

  /**
   * Checks that the names of an operator and its controllers are free.
   *
   * @throws {TypeError} When a name is in use.
   */
  checkOperator({ name, controllers }: Operator): void {
    this.#checkRunnable(name);
    for (const controller of controllers) {
      const other = this.#controllers.get(controller.name);
      if (other === undefined) continue;
      throw new TypeError(
        `Cannot add operator ${name}: operator ${other} has a controller ${controller.name} too; give ` +
          `one of them another name with .named("...")`,
      );
    }
  }

  /** Reserves the names of an operator's controllers, so that no two controllers share one. */
  addControllers({ name, controllers }: Operator): void {
    for (const controller of controllers) this.#controllers.set(controller.name, name);
  }

  /** Frees the names of an operator and its controllers in the manager. */
  removeOperator({ name, controllers }: Operator): void {
    this.#runnables.delete(name);
    for (const controller of controllers) this.#controllers.delete(controller.name);
  }

  #checkRunnable(name: unknown): asserts name is string {
    if (typeof name !== "string" || name === "") {
      throw new TypeError("Cannot add a runnable without a name");
    }
    if (!this.#runnables.has(name)) return;
    throw new TypeError(`Cannot add ${name}: another runnable has that name; give it another one`);
  }
}
