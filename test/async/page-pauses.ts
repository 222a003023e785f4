/**
 * Gives tests Chrome's way to pause for the page, without the pause: messages, by which other browsers pause, come in real time, and
 * clocks in tests stand still meanwhile. `test/engine/api/lists.test.ts` plays the other browsers.
 */
Object.assign(globalThis, { scheduler: { yield: () => Promise.resolve() } });
