import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { Xca } from "./xca.ts";
import { Xtls } from "./xtls.ts";

/** The CustomResourceDefinition of {@linkcode Xca}. */
export const xcaCrd: V1CustomResourceDefinition = Xca.crd;

/** The CustomResourceDefinition of {@linkcode Xtls}. */
export const xtlsCrd: V1CustomResourceDefinition = Xtls.crd;
