import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { KindStrategy } from "./strategy.ts";

/** The arguments of a strategy's function, its objects by their type. */
type Typed<Arguments extends readonly unknown[], T> = {
  [Index in keyof Arguments]: Arguments[Index] extends ApiObject ? T
    : undefined extends Arguments[Index]
      ? NonNullable<Arguments[Index]> extends ApiObject ? T | undefined : Arguments[Index]
    : Arguments[Index];
};

type TypedMembers<Strategy, T> = {
  [Name in keyof Strategy]: NonNullable<Strategy[Name]> extends
    (...given: infer Arguments) => infer Result ? (...given: Typed<Arguments, T>) => Result
    : Strategy[Name];
};

/** A {@linkcode KindStrategy} whose functions know the kind's fields. */
export type TypedStrategy<T> =
  & Omit<TypedMembers<KindStrategy, T>, "status" | "subresources">
  & {
    readonly status?: TypedSubresource<T>;
    readonly subresources?: Readonly<Record<string, TypedSubresource<T>>>;
  };

type TypedSubresource<T> = TypedMembers<NonNullable<KindStrategy["status"]>, T>;

/**
 * A strategy written against a kind's type. That an object has that type was checked at decoding, by
 * the schema.
 */
export function typedStrategy<T>(strategy: TypedStrategy<T>): KindStrategy {
  return strategy as unknown as KindStrategy;
}
