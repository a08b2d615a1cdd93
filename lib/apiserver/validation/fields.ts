/**
 * The type `T` with all fields optional at every depth, but with maps and their values unchanged:
 * the type of an object that was decoded and is not validated yet.
 */
export type Loose<T> = T extends readonly (infer Item)[] ? Loose<Item>[]
  : T extends object ? string extends keyof T ? T : { [Field in keyof T]?: Loose<T[Field]> }
  : T;
