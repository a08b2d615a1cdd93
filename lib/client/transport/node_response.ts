import type { IncomingMessage } from "node:http";
import { responseOf } from "./answer.ts";
import { BodyQueue } from "./http1/body_queue.ts";
import { connectionReset } from "./http1/protocol_error.ts";
import { answerFrom } from "./http_answer.ts";

/**
 * Returns the `Response` of an incoming message of Node's HTTP client.
 *
 * @throws {TypeError} When the status is not between 200 and 599, which a `Response` cannot have.
 */
export async function toResponse(message: IncomingMessage): Promise<Response> {
  const body = new BodyQueue({
    pause: () => void message.pause(),
    resume: () => void message.resume(),
    cancel: () => void message.destroy(),
  });
  // The chunk is copied, since it may share its memory with others.
  message.on("data", (chunk: Uint8Array) => body.push(new Uint8Array(chunk)));
  message.on("end", () => body.end());
  message.on("error", (error) => body.fail(error));
  message.on("close", () => body.fail(connectionReset("aborted")));
  const headers: [string, string][] = [];
  const { statusCode: status = 0, statusMessage: reason = "", rawHeaders } = message;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  }
  return responseOf(await answerFrom({ head: { status, reason, headers, old: false }, body }));
}
