import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * What a kind may see of the server beside its own object: other objects, as they are now. Reading is
 * synchronous and gives a fresh tree each time.
 */
export interface ServerState {
  /** The object, or `undefined`. `resource` is the plural. */
  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined;
  /** All objects of a resource; of one namespace when it is given. */
  list(group: string, resource: string, namespace?: string): Iterable<ApiObject>;
  /** The addresses of Services: `10.0.0.0/24` unless configured. */
  readonly serviceCidr: string;
  /** The node ports of Services: 30000 to 32767 unless configured. */
  readonly nodePorts: { readonly first: number; readonly last: number };
}
