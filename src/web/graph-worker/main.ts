import { type GraphLayout, layoutGraph } from './layout.ts';
import type { LayoutRequest } from './layout-request.ts';

/** Answer of the worker to one request. */
export type LayoutAnswer = { layout: GraphLayout } | { error: string };

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(answerTo(data));
});

function answerTo(request: LayoutRequest): LayoutAnswer {
  try {
    return { layout: layoutGraph(request) };
  } catch (error) {
    return { error: String(error) };
  }
}
