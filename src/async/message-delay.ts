/**
 * Waits a few milliseconds by posting messages. A page whose pane is closed has its timers slowed to one a second or less
 * (OfficeDev/office-js#6936), but not its messages.
 */
export function delay(ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      if (performance.now() < untilMs) return port2.postMessage(null);
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
