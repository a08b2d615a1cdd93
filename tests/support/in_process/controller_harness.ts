/**
 * A controller on a fake cluster, with a clock that a test advances.
 *
 * @module
 */
import { controllerFor } from "../../../lib/controller/definition/controller_builder.ts";
import type {
  ControllerDefinition,
  ControllerOptions,
} from "../../../lib/controller/definition/controller_definition.ts";
import { defineOperator } from "../../../lib/controller/operator/operator.ts";
import type { OperatorHandle } from "../../../lib/controller/ports/operator_progress.ts";
import type { Reconciler } from "../../../lib/controller/definition/reconciler.ts";
import {
  runOperator,
  type RunOperatorOptions,
} from "../../../lib/controller/operator/run_operator.ts";
import { ConfigMap } from "../../../lib/apimachinery/meta/builtin.ts";
import type { UnstructuredObject } from "../../../lib/apimachinery/meta/object.ts";
import { FakeClock } from "../../../lib/testing/fake_clock.ts";
import { FakeCluster } from "./fake_cluster.ts";

/** A fake cluster, a clock, and controllers on them. */
export interface Harness extends AsyncDisposable {
  readonly cluster: FakeCluster;
  readonly clock: FakeClock;
  /** Starts controllers; they stop when the harness is disposed. */
  run(
    controllers: ControllerDefinition | readonly ControllerDefinition[],
    options?: Partial<RunOperatorOptions>,
  ): OperatorHandle;
}

/** Creates an empty cluster. */
export function harness(): Harness {
  const cluster = new FakeCluster();
  const clock = new FakeClock();
  const handles: OperatorHandle[] = [];
  return {
    cluster,
    clock,
    run: (controllers, options = {}) => {
      const operator = defineOperator({
        name: "test",
        controllers: "name" in controllers ? [controllers] : controllers,
      });
      const { client } = cluster;
      const handle = runOperator(operator, { client, informers: cluster, clock, ...options });
      handles.push(handle);
      return handle;
    },
    async [Symbol.asyncDispose]() {
      const stopped = handles.map((handle) => handle.stop().catch(() => {}));
      await clock.advance(60_000);
      await Promise.all(stopped);
    },
  };
}

/** Returns a controller of ConfigMaps. */
export function forMaps(
  reconcile: Reconciler,
  options: ControllerOptions = {},
): ControllerDefinition {
  return controllerFor(ConfigMap).options(options).reconcile(reconcile);
}

/** Returns a ConfigMap of namespace `default`. */
export function configMap(
  name: string,
  fields: Partial<UnstructuredObject> = {},
): UnstructuredObject {
  const { metadata, ...rest } = fields;
  return { ...rest, metadata: { ...metadata, namespace: "default", name } };
}
