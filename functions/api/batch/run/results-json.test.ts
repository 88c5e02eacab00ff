import { ApiError } from '../../../../shared/core/errors.ts';
import { jsonBytesInReply } from '../../../../shared/core/reply-size.ts';
import { node } from '../../../../tests/support/store.ts';
import { type Outcome, resultsJson } from './results-json.ts';
import { done, type Success } from '../../../bulk/batch/success.ts';

const added = (name: string): Success => done(201, node({ node_id: name, node_name: name }));

const resultsOf = (outcomes: readonly Outcome[], maxBytes?: number) =>
  JSON.parse(resultsJson(outcomes, 'r-1', maxBytes).text).results;

test('a result has the status, the id and the object, or the error with the id of the request', () => {
  const removed: Success = { status: 204, id: 'n2' };
  expect(resultsOf([added('n1'), removed, new ApiError('notFound', 'Gone.')])).toEqual([
    { status: 201, id: 'n1', body: expect.objectContaining({ node_name: 'n1' }) },
    removed,
    { status: 404, error: expect.objectContaining({ message: 'Gone.', request_id: 'r-1' }) },
  ]);
});

test('leaves out an object that exceeds the rest of the reply, and keeps a later object that fits', () => {
  const [first, large, last] = [added('n1'), added('n'.repeat(100)), added('n3')];
  const bytes = jsonBytesInReply(JSON.stringify(first)) + jsonBytesInReply(JSON.stringify(last));
  const hasBody = (maxBytes: number) =>
    resultsOf([first, large, last], maxBytes).map((result: object) => 'body' in result);
  expect(hasBody(bytes)).toEqual([true, false, true]);
  expect(hasBody(bytes - 1)).toEqual([true, false, false]);
  expect(resultsOf([large], 1)).toEqual([{ status: 201, id: large.id }]);
});
