/** A PNG of 2 x 1 pixels. */
export const samplePicture =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4nGNkYPj/n4GBAQAGAgEB0k9k9gAAAABJRU5ErkJggg==";
