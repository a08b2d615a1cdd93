// Mirrors `webhook/mutating/reinvocationcontext.go, webhookReinvokeContext`.
import type { AdmissionRequest } from "../machinery/admission.ts";

/**
 * A record of the webhook or policy calls that one admission plugin makes for one write. It decides
 * which webhooks or policies are called a second time: those that requested reinvocation and were
 * called before a later change of the object.
 */
export class Reinvocation {
  /**
   * The keys of the webhooks or policies that requested reinvocation and were called since the last
   * change of the object.
   */
  readonly #previous = new Set<string>();
  /**
   * The keys of the webhooks or policies to call again because the object changed after their call.
   */
  readonly #due = new Set<string>();
  /**
   * The written object as JSON text, as it was when the admission plugin ended its last round of
   * webhook or policy calls; `undefined` before the end of the first round.
   */
  #output: string | undefined;
  #again = false;

  /**
   * Begins the second round of an admission plugin's webhook or policy calls. If another plugin has
   * changed the object since the first round, all webhooks or policies that requested reinvocation
   * are called again.
   */
  beginAgain(request: AdmissionRequest): void {
    this.#again = true;
    if (this.#output !== JSON.stringify(request.object)) this.noteChange();
  }

  /**
   * Reports whether a webhook or policy is not called in this round of the admission plugin's
   * calls: in the second round, all but those that requested reinvocation and were called before
   * the last change of the object by another.
   */
  skips(key: string): boolean {
    return this.#again && !this.#due.has(key);
  }

  /**
   * Records a call of a webhook or policy that requested reinvocation, which is repeated after a
   * later change of the object.
   */
  noteCall(key: string): void {
    this.#previous.add(key);
  }

  /**
   * Records that a webhook or policy changed the object, so that the earlier calls that requested
   * reinvocation are repeated in the second round.
   */
  noteChange(): void {
    for (const key of this.#previous) this.#due.add(key);
    this.#previous.clear();
  }

  /**
   * Ends a round of an admission plugin's webhook or policy calls, and records the object as it is
   * now.
   */
  end(request: AdmissionRequest): void {
    this.#output = JSON.stringify(request.object);
  }
}

/** The records of the webhook or policy calls of one admission plugin, by write. */
export class Reinvocations {
  readonly #ofRequests = new WeakMap<AdmissionRequest, Reinvocation>();

  /**
   * Begins the first or second round of an admission plugin's webhook or policy calls for a write.
   * Returns the record of the write's calls.
   */
  begin(request: AdmissionRequest): Reinvocation {
    let found = this.#ofRequests.get(request);
    if (found) found.beginAgain(request);
    else this.#ofRequests.set(request, found = new Reinvocation());
    return found;
  }
}
