import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ReadWebFiles } from '../app/web-files.ts';
import type { Clock } from '../core/clock.ts';
import type { Caller } from '../features/_kit/caller.ts';

/** What middlewares leave for each other. */
export interface HttpState {
  requestId: string;
  /** Who asks, once known. */
  caller?: Caller;
  /** The request comes from a page of this server. */
  isOwnOrigin?: boolean;
  /** Operation id, or the name of a hand-written route; bounds the labels of metrics. */
  route?: string;
  /** What of the request was refused and why, where the rest was accepted. */
  refusedPart?: string;
}

export type HttpContext = Koa.ParameterizedContext<HttpState>;
export type HttpMiddleware = Koa.Middleware<HttpState>;

export interface HttpDependencies {
  clock: Clock;
  logger: Logger;
  /** Calls `beat` now and then until the returned function is called; every 15 s where left out. */
  heartbeat?(beat: () => void): () => void;
  /** Calls `check` until the returned function is called; every second where left out. */
  checkEverySecond?(check: () => void): () => void;
  /** The instance's figures. */
  metrics?: Registry;
  /** The web page; the one of the build where left out. */
  readWebFiles?: ReadWebFiles;
}
