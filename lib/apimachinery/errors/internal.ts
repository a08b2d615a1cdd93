/**
 * Internals of `@xca/apimachinery/errors` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export {
  declared,
  duplicate,
  type FieldError,
  fieldErrorText,
  forbiddenField,
  internalFieldError,
  invalid,
  joinFieldErrors,
  mergeDeclared,
  mergeDeclaredInSteps,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  withoutRepeats,
} from "./field_error.ts";
export { FieldPath } from "./field_path.ts";
export {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  expired,
  expiredContinue,
  type FailureStatus,
  forbidden,
  internalError,
  invalidObject,
  invalidObjectInSteps,
  isNestedTooDeep,
  isStackOverflow,
  methodNotAllowed,
  methodNotSupported,
  nestedTooDeep,
  notAcceptable,
  notFound,
  notImplemented,
  StatusError,
  tooLarge,
  tooLargeVersion,
  unauthorized,
  unknownPath,
  unsupportedMediaType,
} from "./status_error.ts";
