import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { KindStrategy } from "./strategy.ts";

/** The parameters of a strategy's function, with the kind's type `T` in place of `ApiObject`. */
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

/** A {@linkcode KindStrategy} whose functions take objects of type `T`. */
export type TypedStrategy<T> =
  & Omit<TypedMembers<KindStrategy, T>, "status" | "subresources">
  & {
    readonly status?: TypedSubresource<T>;
    readonly subresources?: Readonly<Record<string, TypedSubresource<T>>>;
  };

type TypedSubresource<T> = TypedMembers<NonNullable<KindStrategy["status"]>, T>;

/**
 * Returns a strategy that is written for the type `T` of its kind, unchanged, as a
 * {@linkcode KindStrategy}. Objects are cast to their type here only, which decoding has checked.
 */
export function typedStrategy<T>(strategy: TypedStrategy<T>): KindStrategy {
  return strategy as unknown as KindStrategy;
}
