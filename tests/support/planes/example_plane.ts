/**
 * The operator of an example on a real control plane, as a user with the rights that it declares.
 *
 * @module
 */
import { type Clock, systemClock } from "../../../lib/apimachinery/base/mod.ts";
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  type KubeObject,
  Namespace,
} from "../../../lib/apimachinery/meta/mod.ts";
import { type Client, createClient, isAlreadyExists, isNotFound } from "../../../lib/client/mod.ts";
import { type ClusterOptions, startCluster } from "../../../lib/cluster/mod.ts";
import { type Operator, runOperator } from "../../../lib/controller/mod.ts";
import { rulesOf } from "../../../lib/rbac/mod.ts";
import type { ControlPlane } from "../../../lib/testing/mod.ts";
import { untilAnswered } from "../until.ts";

const MINUTE_MS = 60_000;

/**
 * Returns a clock on which a minute has just begun. It is at least a minute ahead, so that for each new
 * object the last time of a schedule of each minute is due at once.
 */
export function dueClock(): Clock {
  const aheadMs = 2 * MINUTE_MS - Date.now() % MINUTE_MS;
  return { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
}

/** Installs the definitions of operators, except those that are there. */
export async function install(plane: ControlPlane, operators: readonly Operator[]): Promise<void> {
  using client = createClient(plane.config);
  for (const crd of operators.flatMap(({ crds }) => crds)) {
    try {
      await client.create(CustomResourceDefinition, crd as never);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** Options of {@linkcode ExamplePlane.start}. */
export interface ExampleOptions extends Pick<ClusterOptions, "script"> {
  /** The clock of the operator. @default {systemClock} */
  readonly clock?: Clock;
}

/** An example on a control plane: its namespace, and a client of the administrator. */
export class ExamplePlane implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();

  private constructor(
    readonly client: Client,
    readonly namespace: string,
  ) {}

  /**
   * Starts the scheduler and the simulated kubelet, and an operator with the rights that it declares.
   * Its definitions are installed.
   */
  static async start(
    plane: ControlPlane,
    operator: Operator,
    { clock = systemClock, script }: ExampleOptions = {},
  ): Promise<ExamplePlane> {
    await using stack = new AsyncDisposableStack();
    const client = stack.use(createClient(plane.config));
    const name = `example-${operator.name}`;
    const example = new ExamplePlane(client, name);
    const controllers = ["kubelet", "node-lifecycle-controller", "scheduler"];
    stack.use(await startCluster({ client, controllers, ...(script && { script }) }));
    await client.create(Namespace, { metadata: { name } });
    const { controllers: [first] } = operator;
    await untilAnswered(() => client.list(first!.type), isNotFound);
    const user = await plane.addUser(name);
    await client.create(ClusterRole, {
      metadata: { name },
      rules: rulesOf(operator).cluster as never,
    });
    await client.create(ClusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "User", name: user.name, apiGroup: "rbac.authorization.k8s.io" }],
    });
    stack.use(runOperator(operator, { client: stack.use(createClient(user.config)), clock }));
    example.#stack.use(stack.move());
    return example;
  }

  /** Returns the key of an object in the namespace of the example. */
  key(object: string | KubeObject): string {
    return `${this.namespace}/${typeof object === "string" ? object : object.metadata.name}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
