/**
 * A stream that decodes bytes as text and splits the text into lines, without line ends. A last
 * line without a line end is emitted too, at the end of the stream.
 */
export class TextLineStream extends TransformStream<Uint8Array, string> {
  /** Creates a stream that splits UTF-8 bytes into lines, without their line ends. */
  constructor() {
    const decoder = new TextDecoder();
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
      flush(controller) {
        rest += decoder.decode();
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
