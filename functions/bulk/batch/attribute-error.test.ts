import { ApiError } from '../../../shared/core/errors.ts';
import { attributeToOperation } from './attribute-error.ts';

test('an error names its operation, or a field within it, once', () => {
  const whole = attributeToOperation(3, new ApiError('notFound', 'Node not found.'));
  expect(whole).toMatchObject({
    ...{ kind: 'notFound', message: 'Node not found.' },
    details: [{ field: 'operations.3', reason: 'not_found', message: 'Node not found.' }],
  });
  const details = [{ field: 'address', reason: 'required', message: 'Required.' }];
  const ofField = attributeToOperation(0, new ApiError('invalidArgument', 'x', { details }));
  expect(ofField.details).toEqual([{ ...details[0], field: 'operations.0.body.address' }]);
  expect(attributeToOperation(1, whole)).toBe(whole);
});
