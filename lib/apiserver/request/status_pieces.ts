// Mirrors `endpoints/handlers/responsewriters/writers.go, SerializeObject`.
import type { FailureStatus } from "@xca/apimachinery/internal/errors";
import { encodePieces } from "../machinery/byte_pieces.ts";

/**
 * The number of characters of a message that are encoded in one step; {@linkcode CAUSES} is the
 * number of causes that are encoded in one step.
 */
const MESSAGE_LENGTH = 64 * 1024;
const CAUSES = 200;

/**
 * Reports whether a `Status` is encoded in steps: if its message has more than 256 Ki characters,
 * or it has more than 800 causes.
 */
export function isLongStatus({ message = "", details }: FailureStatus): boolean {
  return message.length > 4 * MESSAGE_LENGTH || (details?.causes?.length ?? 0) > 4 * CAUSES;
}

/** Encodes a `Status` as a line of JSON, in chunks, between which other work may run. */
export function* statusPieces(status: FailureStatus): Generator<void, Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (const piece of encodePieces(statusTexts(status))) {
    pieces.push(piece);
    yield;
  }
  return pieces;
}

function* statusTexts(status: FailureStatus): Generator<string, void> {
  let before = "{";
  for (const [name, value] of Object.entries(status)) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (name === "message") yield* messageTexts(value);
    else if (name === "details") yield* detailsTexts(value);
    else yield JSON.stringify(value);
  }
  yield "}\n";
}

function* messageTexts(message: string): Generator<string, void> {
  yield '"';
  for (let at = 0; at < message.length;) {
    let end = Math.min(message.length, at + MESSAGE_LENGTH);
    // A character of two UTF-16 units is encoded in one piece.
    if (isHighSurrogate(message.charCodeAt(end - 1)) && end - at > 1) end--;
    yield JSON.stringify(message.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function* detailsTexts(
  details: NonNullable<FailureStatus["details"]>,
): Generator<string, void> {
  let before = "{";
  for (const [name, value] of Object.entries(details)) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ",";
    if (name === "causes") yield* causesTexts(value);
    else yield JSON.stringify(value);
  }
  yield before === "{" ? "{}" : "}";
}

function* causesTexts(causes: readonly unknown[]): Generator<string, void> {
  for (let at = 0; at < causes.length; at += CAUSES) {
    const text = JSON.stringify(causes.slice(at, at + CAUSES));
    yield `${at === 0 ? "[" : ","}${text.slice(1, -1)}`;
  }
  yield causes.length === 0 ? "[]" : "]";
}
