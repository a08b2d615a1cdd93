import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * A lease of a shared informer for one reader or controller; disposing the lease releases the
 * informer.
 */
export interface InformerLease<T extends KubeObject = KubeObject> extends Disposable {
  /** The informer that the holder of the lease uses. */
  readonly informer: SharedInformer<T>;
}
