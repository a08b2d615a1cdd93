import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * The right of one reader or controller to use a shared informer (no Lease of Kubernetes), from
 * {@linkcode ManagedCaches.acquire}. Disposing the right releases the informer.
 */
export interface InformerLease<T extends KubeObject = KubeObject> extends Disposable {
  /** The shared informer that the reader or controller may use. */
  readonly informer: SharedInformer<T>;
}
