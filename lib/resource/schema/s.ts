/**
 * The functions of the schema builder `s`.
 *
 * @module
 */
export { boolean, enum, literal } from "./choice.ts";
export { array, map } from "./collection.ts";
export { conditions, kubernetes } from "./kubernetes.ts";
export { nullable, optional } from "./modifier.ts";
export { integer, number } from "./number.ts";
export { object } from "./object.ts";
export { embeddedResource, intOrString, quantity, unknown } from "./special.ts";
export { dateTime, duration, string } from "./text.ts";
export { union } from "./union.ts";
export { atMostOneOf, exactlyOneOf } from "./one_of_fields.ts";
