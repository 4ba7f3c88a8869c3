// An endpoint that stores the bodies of exporters.
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

export async function openSink() {
  let bodies = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const sent = Buffer.concat(parts);
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const isJson = String(request.headers['content-type']).includes('json');
      bodies.push({
        path: request.url,
        ...(isJson ? { json: JSON.parse(bytes.toString('utf8')) } : { base64: bytes.toString('base64') }),
      });
      const isProtobuf = String(request.headers['content-type']).includes('protobuf');
      response.writeHead(200, { 'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json' });
      response.end(isProtobuf ? '' : '{}');
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    drain() {
      const taken = bodies;
      bodies = [];
      return taken;
    },
    close: () => server.close(),
  };
}
