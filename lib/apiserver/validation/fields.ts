/** A type whose fields may all be absent, maps aside: what came over the wire, before it is checked. */
export type Loose<T> = T extends readonly (infer Item)[] ? Loose<Item>[]
  : T extends object ? string extends keyof T ? T : { [Field in keyof T]?: Loose<T[Field]> }
  : T;
