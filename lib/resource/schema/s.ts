/**
 * The functions of the schema builder `s`.
 *
 * @module
 */
export { boolean, enum, literal } from "./builders/choice.ts";
export { array, map } from "./builders/collection.ts";
export { conditions, kubernetes } from "./builders/kubernetes.ts";
export { nullable, optional } from "./builders/modifier.ts";
export { integer, number } from "./builders/number.ts";
export { object } from "./builders/object.ts";
export { embeddedResource, intOrString, quantity, unknown } from "./builders/special.ts";
export { dateTime, duration, string } from "./builders/text.ts";
export { union } from "./builders/union.ts";
export { atMostOneOf, exactlyOneOf } from "./builders/one_of_fields.ts";
