/** Large answers, written piece by piece as they are sent: a matrix of 3,000 by 53 is 13 MB of text. */

const chunkLength = 65_536;

/** The pieces one after another, in UTF-8. A piece is made only when the receiver has taken those before it. */
export function streamedText(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
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
