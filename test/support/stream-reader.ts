import { type IncomingMessage, request } from 'node:http';

export interface Frame {
  id?: string;
  event?: string;
  data?: Record<string, unknown>;
  comment?: string;
}

/** A reader of one stream over a real socket; `next` waits for the frame, not for time. */
export function openStream(port: number, path: string, headers: Record<string, string>) {
  const frames: Frame[] = [];
  const waiting: ((frame: Frame | null) => void)[] = [];
  let hasEnded = false;
  let text = '';
  const end = () => {
    hasEnded = true;
    for (const wake of waiting.splice(0)) wake(null);
  };
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    headers,
    agent: false,
  });
  const answered = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve));
  outgoing.on('error', end);
  outgoing.on('response', (incoming) => {
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => {
      text += chunk;
      for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n')) {
        const frame = toFrame(text.slice(0, at));
        text = text.slice(at + 2);
        if (Object.keys(frame).length === 0) continue;
        const wake = waiting.shift();
        if (wake) wake(frame);
        else frames.push(frame);
      }
    });
    incoming.on('close', end);
    incoming.on('error', end);
  });
  outgoing.end();
  return {
    answered,
    next: () =>
      new Promise<Frame | null>((resolve) => {
        const frame = frames.shift();
        if (frame) resolve(frame);
        else if (hasEnded) resolve(null);
        else waiting.push(resolve);
      }),
    close: () => outgoing.destroy(),
  };
}

function toFrame(text: string): Frame {
  const frame: Frame = {};
  for (const line of text.split('\n')) {
    if (line.startsWith(':')) frame.comment = line.slice(1).trim();
    else if (line.startsWith('id: ')) frame.id = line.slice(4);
    else if (line.startsWith('event: ')) frame.event = line.slice(7);
    else if (line.startsWith('data: ')) frame.data = JSON.parse(line.slice(6));
  }
  return frame;
}
