import { errorText } from "@xca/apimachinery/base";
import { type LabelSelector, parseLabelSelector } from "@xca/apimachinery/meta";

/**
 * The refusal of a request by a simulated metrics API. The functions that handle requests throw it;
 * {@linkcode orRefusal} turns it into the response.
 */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly #code: number;
  readonly #reason: string;

  /** Creates a refusal with the HTTP status code, the reason and the message of its `Status`. */
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.#code = code;
    this.#reason = reason;
  }

  /** Returns the response to the refused request, whose body is a `Status`. */
  response(): Response {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
    const [code, reason, message] = [this.#code, this.#reason, this.message];
    return Response.json({ ...status, message, reason, code }, { status: code });
  }
}

/**
 * Returns the response of a handler of requests. A {@linkcode RefusedRequest} that the handler
 * throws becomes its response; any other error becomes a response with status 500.
 */
export async function orRefusal(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    const refusal = error instanceof RefusedRequest
      ? error
      : new RefusedRequest(500, "InternalError", errorText(error));
    return refusal.response();
  }
}

/**
 * Returns the label selector in a query parameter; one that selects everything if the parameter is
 * absent or empty.
 *
 * @throws {RefusedRequest} 400 when the text of the parameter is not a selector.
 */
export function selectorIn(query: URLSearchParams, parameter: string): LabelSelector {
  try {
    return parseLabelSelector(query.get(parameter) ?? "");
  } catch (error) {
    throw new RefusedRequest(400, "BadRequest", `Invalid ${parameter}: ${errorText(error)}`);
  }
}
