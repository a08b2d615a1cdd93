/**
 * The type `T` with all fields, except the entries of maps, optional at every depth: the type of an
 * object that was decoded and is not validated yet.
 */
export type Loose<T> = T extends readonly (infer Item)[] ? Loose<Item>[]
  : T extends object ? string extends keyof T ? T : { [Field in keyof T]?: Loose<T[Field]> }
  : T;
