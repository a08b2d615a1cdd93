/**
 * Returns the error that a promise rejects with, or a general error if it rejects with `undefined`
 * or `null`; `undefined` if it resolves.
 */
export async function failureOf(promise: Promise<void>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error ?? new Error("The pods could not be changed, for an unknown reason");
  }
}
