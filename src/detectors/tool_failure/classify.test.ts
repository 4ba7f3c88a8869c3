import { describe, expect, it } from 'vitest';
import { classifyFailure, type FailureClass } from './classify.ts';

describe('classifyFailure', () => {
  it.each<[FailureClass, string, string]>([
    ['rate_limit', '429', ''],
    ['rate_limit', 'RateLimitError', 'slow down'],
    ['exhaustion', '429', 'insufficient_quota: check your plan'],
    ['exhaustion', '', 'This model has a maximum context length of 8192 tokens'],
    ['exhaustion', 'BadRequestError', "400: This model's maximum context length is 8192 tokens"],
    ['auth', '400', 'API key not valid'],
    ['invalid_arguments', '400', ''],
    ['not_found', 'LookupError', 'no parcel P-7'],
    ['exhaustion', '413', 'payload too large'],
    ['auth', '401', ''],
    ['auth', '', 'Incorrect API key provided'],
    ['timeout', '504', 'Gateway Timeout'],
    ['timeout', 'TimeoutError', 'no answer'],
    ['timeout', '', 'operation timed out after 30 s'],
    ['service', '503', ''],
    ['service', '', 'connect ECONNREFUSED 10.0.0.7:443'],
    ['service', '', 'database unavailable'],
    ['not_found', '404', ''],
    ['not_found', '', "No module named 'numbers_x'"],
    ['not_found', 'ModuleNotFoundError', "No module named 'numbers_x'"],
    ['not_found', '', 'No invoices found. Try another month.'],
    ['invalid_arguments', '422', ''],
    ['invalid_arguments', 'TypeError', "f() got an unexpected keyword argument 'x'"],
    ['invalid_arguments', '', "time data '1' does not match format"],
    ['invalid_arguments', '', "Execution failed at line 'open(secret_api_key)' due to: TypeError: bad"],
    [
      'schema_mismatch',
      'NodeOperationError',
      "Wrong type: '2' is a string but was expecting a number [condition 0, item 0]",
    ],
    ['schema_mismatch', 'TypeError', "Cannot read properties of undefined (reading 'id')"],
    ['schema_mismatch', 'ExpressionError', 'Referenced node is unexecuted'],
    ['schema_mismatch', '', 'JSON parameter needs to be valid JSON'],
    ['not_found', '', 'The page was expecting nobody; page not found'],
    ['other', '', 'Error in code parsing: the pattern was not found'],
    ['other', '', 'the printer is on fire'],
    ['other', '', 'room 404 is taken'],
  ])('%s: %s %s', (expected, code, message) => expect(classifyFailure({ code, message })).toBe(expected));
});
