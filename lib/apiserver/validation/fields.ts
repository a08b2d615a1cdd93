import type { Models } from "../../kubernetes_types/kinds.ts";
import type { Wire } from "../../kubernetes_types/wire.ts";

/** A type whose fields may all be absent, maps aside: what came over the wire, before it is checked. */
export type Loose<T> = T extends readonly (infer Item)[] ? Loose<Item>[]
  : T extends object ? string extends keyof T ? T : { [Field in keyof T]?: Loose<T[Field]> }
  : T;

/** A model of the client by its name, as it comes over the wire. */
export type Fields<Name extends keyof Models> = Models[Name] extends
  abstract new (...args: never) => infer Model ? Loose<Wire<Model>> : never;
