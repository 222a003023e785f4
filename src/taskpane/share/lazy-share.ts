import { lazy } from "react";

/** In a script of its own, which two screens lead to. */
export const ShareScreen = lazy(() =>
  import(/* webpackChunkName: "share" */ "./ShareScreen").then(({ ShareScreen }) => ({
    default: ShareScreen,
  })),
);
