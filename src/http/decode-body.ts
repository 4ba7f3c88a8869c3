export { checkBody } from '../features/_kit/check-body.ts';
export { parseJsonBody as parseBody } from '../features/_kit/parse-json-body.ts';
