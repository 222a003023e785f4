/** Writes large answers piece by piece as they are sent: a matrix of 3,000 by 53 is 13 MB of text. */
import { setImmediate as turnOfOthers } from "node:timers/promises";

const chunkLength = 32_768;

/**
 * Streams the pieces one after another, in UTF-8. A piece is made only after the receiver has taken the pieces before it. Other requests
 * get their turn after every chunk.
 */
export function streamedText(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await turnOfOthers();
      let chunk = "";
      while (chunk.length < chunkLength) {
        const { value, done } = pieces.next();
        if (done) break;
        chunk += value;
      }
      if (chunk === "") controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
}
