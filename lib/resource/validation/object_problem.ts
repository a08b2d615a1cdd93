/** A reason why an API server refuses an object. */
export interface ObjectProblem {
  /**
   * The path of the invalid field, such as `spec.ports[0].name`; `<nil>` for the object as a whole.
   */
  readonly field: string;
  /** The reason of the refusal in the wording of the API server, such as `Required value`. */
  readonly message: string;
}
