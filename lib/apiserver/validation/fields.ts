/**
 * A type with all fields optional, those of maps aside: a value that was decoded but not validated.
 */
export type Loose<T> = T extends readonly (infer Item)[] ? Loose<Item>[]
  : T extends object ? string extends keyof T ? T : { [Field in keyof T]?: Loose<T[Field]> }
  : T;
