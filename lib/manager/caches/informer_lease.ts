import type { SharedInformer } from "../../cache/informer/shared_informer.ts";
import type { KubeObject } from "@xca/apimachinery/meta";

/** The use of a shared informer by one reader or controller; its disposal ends the use. */
export interface InformerLease<T extends KubeObject = KubeObject> extends Disposable {
  /** The informer that the holder of the lease uses. */
  readonly informer: SharedInformer<T>;
}
