/** A reason why an API server refuses an object. */
export interface ObjectProblem {
  /** The path of the field, as `spec.ports[0].name`; `<nil>` for the object as a whole. */
  readonly field: string;
  /** The reason in the words of the API server, as `Required value`. */
  readonly message: string;
}
