import { type GraphLayout, layoutGraph } from './layout.ts';
import type { LayoutRequest } from './layout-request.ts';

/** The response of the worker to one request. */
export type LayoutResponse = { layout: GraphLayout } | { error: string };

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(respondTo(data));
});

function respondTo(request: LayoutRequest): LayoutResponse {
  try {
    return { layout: layoutGraph(request) };
  } catch (error) {
    return { error: String(error) };
  }
}
