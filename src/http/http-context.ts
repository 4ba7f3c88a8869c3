import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ReadWebFiles } from '../app/web-files.ts';
import type { Clock } from '../core/clock.ts';
import type { Caller } from '../features/_kit/caller.ts';

/** State that middlewares share. */
export interface HttpState {
  requestId: string;
  /** The caller, once authenticated. */
  caller?: Caller;
  /** The request comes from a page of this server. */
  isOwnOrigin?: boolean;
  /** Operation id, or the name of a hand-written route; bounds the label values of metrics. */
  route?: string;
  /** The rejected part of a request whose rest was accepted, with the reason. */
  rejectedPart?: string;
}

export type HttpContext = Koa.ParameterizedContext<HttpState>;
export type HttpMiddleware = Koa.Middleware<HttpState>;

export interface HttpDependencies {
  clock: Clock;
  logger: Logger;
  /** Calls `beat` periodically until the returned function is called; every 15 s if omitted. */
  heartbeat?(beat: () => void): () => void;
  /** Calls `check` until the returned function is called; every second if omitted. */
  checkEverySecond?(check: () => void): () => void;
  /** The instance's metrics. */
  metrics?: Registry;
  /** Files of the web page; by default those of the build. */
  readWebFiles?: ReadWebFiles;
}
