export { checkBody } from '../features/_kit/check-body.ts';
export { receivedJson as parseBody } from '../features/_kit/received-json.ts';
